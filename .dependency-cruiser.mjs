/**
 * The floors from the ground up: each imports only floors named before it. `src/pages` stands beside them: what a browser loads is there
 * alone, so it imports types of floors and no values, and the floors that serve a page import it.
 */
const floors = [
  "internal",
  "api",
  "text",
  "format",
  "storage",
  "client",
  "admin",
  "store",
  "stream",
  "sql",
  "glossary",
  "document",
  "job",
  "table",
  "workflow",
  "emulator",
  "runtime",
  "cli"
]

/** Floors that may know Node; everything else must bundle for a browser. */
const nodeFloors = ["workflow", "emulator", "runtime", "cli"]

/** What the documentation of its package does not name, and the module that knows it. */
const undocumentedParts = [
  { part: "hyparquet/src/", module: "format/internal/parquet/pages" },
  { part: "hyparquet-writer/", module: "format/internal/parquet/columnWriter" },
  { part: "parse5/", module: "format/internal/html/htmlTokens" }
]

export default {
  forbidden: [
    {
      name: "no-cycles",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } }
    },
    // So no module imports what it implements. A format may be columnar, and a columnar one is a format: these two know each other.
    {
      name: "no-cycles-of-types",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/format/(Columnar|Format)\\.ts" },
      to: { circular: true }
    },
    {
      name: "commands-are-known-to-the-program-alone",
      severity: "error",
      from: { path: "^src/cli/", pathNot: "^src/cli/(commands/|program\\.ts)" },
      to: { path: "^src/cli/commands/" }
    },
    {
      name: "declarations-know-no-action",
      severity: "error",
      from: { path: "^src/cli/declarations/" },
      to: { path: "^src/cli/", pathNot: "^src/cli/(declarations|settings|commandLine)/" }
    },
    {
      name: "job-imports-downwards",
      comment:
        "Public modules import what implements them; of public ones, internal modules know errors only.",
      severity: "error",
      from: { path: "^src/job/internal/" },
      to: { path: "^src/job/[A-Z]", pathNot: "Error\\.ts$" }
    },
    ...floors.slice(0, -1).map((floor, index) => ({
      name: `${floor}-imports-only-floors-below`,
      severity: "error",
      from: { path: `^src/${floor}/` },
      to: { path: `^src/(${floors.slice(index + 1).join("|")})/` }
    })),
    {
      name: "pages-import-types-only",
      severity: "error",
      from: { path: "^src/pages/" },
      to: { path: "^src/(?!pages/)", dependencyTypesNot: ["type-only"] }
    },
    {
      name: "pages-are-known-to-who-serves-them",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/(pages|workflow|cli)/" },
      to: { path: "^src/pages/" }
    },
    {
      name: "internal-stays-on-its-floor",
      severity: "error",
      from: { path: "^src/([^/]+)/" },
      to: { path: "^src/[^/]+/internal/", pathNot: "^src/$1/internal/" }
    },
    {
      name: "no-barrels-inside-src",
      severity: "error",
      from: { path: "^src/", pathNot: "/index\\.ts$" },
      to: { path: "(^src/.*index\\.ts$|^node_modules/(effect|@effect/[^/]+)/(dist|src)/.*/index\\.)" }
    },
    {
      name: "core-knows-no-node",
      severity: "error",
      from: { path: "^src/", pathNot: `^src/(${nodeFloors.join("|")})/` },
      to: { path: "^(node:|node_modules/@effect/(platform-node|workflow|cluster)(/|$))" }
    },
    {
      name: "databases-stay-on-their-floor",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/(sql|table|workflow)/" },
      to: { path: "^node_modules/(@duckdb|@effect/sql|@effect/experimental|libsql|pg)" }
    },
    {
      name: "a-file-needs-no-postgres",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/(cli/|sql/internal/pool|(sql|workflow)/(Pg|postgres/))" },
      to: { path: "^(src/(sql|workflow)/Pg|node_modules/(@effect/sql-pg|pg)/)" }
    },
    {
      name: "sql-imports-only-the-store",
      severity: "error",
      from: { path: "^src/sql/" },
      to: { path: "^src/", pathNot: "^src/(internal|api|format|store|sql)/" }
    },
    // `test/format/PackageParts.test.ts` says what these parts do.
    ...undocumentedParts.map(({ module, part }) => ({
      name: `${module.split("/").at(-1)}-alone-knows-${part.split("/")[0]}`,
      severity: "error",
      from: { path: "^src/", pathNot: `^src/${module}\\.ts$` },
      to: { path: `^node_modules/${part}` }
    })),
    {
      name: "core-knows-no-node-builtins",
      severity: "error",
      from: { path: "^src/", pathNot: `^src/(${nodeFloors.join("|")})/` },
      to: { dependencyTypes: ["core"] }
    }
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { conditionNames: ["import", "types", "default"], exportsFields: ["exports"] }
  }
}
