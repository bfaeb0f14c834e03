/** Starts the test files that take longest before all others, so that none of them is alone at the end. */
import { BaseSequencer, type TestSpecification } from "vitest/node"

/** Those of `npm run test:long` that take more than 20 seconds, the longest first. */
const longest = [
  "workflow/Chaos",
  "cli/Team",
  "docs/CodeBlocks",
  "workflow/NetworkCut",
  "workflow/ClusterProcesses",
  "sql/NetworkCut",
  "job/FileMemory",
  "sql/FullDisk",
  "sql/Freeze",
  "sql/Crash",
  "package/Package",
  "cli/Worker",
  "job/FaultsOfCsv",
  "workflow/Documents",
  "cli/JobWorker",
  "workflow/CorpusWorkflow",
  "workflow/JobsPage",
  "job/FaultsOfDocuments",
  "cli/TranslateCommand"
]

export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const placeOf = ({ moduleId }: TestSpecification) => {
      const place = longest.findIndex((name) => moduleId.endsWith(`/test/${name}.long.test.ts`))
      return place === -1 ? longest.length : place
    }
    return (await super.sort(files)).sort((a, b) => placeOf(a) - placeOf(b))
  }
}
