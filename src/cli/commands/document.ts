import type { Actions } from "../command.js"
import { status } from "../document/documentStatus.js"
import { download } from "../document/downloadDocuments.js"
import { translate } from "../document/translateDocuments.js"
import type { document } from "./declarations/texts.js"

export const actions: Actions<typeof document> = { translate, status, download }
