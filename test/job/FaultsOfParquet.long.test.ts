/** A Parquet file whose translation is disturbed at each call of the file system, the store and the service. */
import { disturb } from "./faults/faults.js"

disturb("a Parquet file")
