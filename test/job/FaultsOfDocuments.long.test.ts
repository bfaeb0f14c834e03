/** Documents whose translation is disturbed at each call of the file system, the journal and the service. */
import { disturb } from "./faults/faults.js"

disturb("documents, of which two are equal, and some have changed since they were translated")
