/** An update of a catalogue that is disturbed at each call of the file system, the store and the service. */
import { disturb } from "./faults/faults.js"

disturb("a catalogue in JSON that has changed since it was translated")
