/**
 * The API reference, made of the doc blocks of what the entries export. A link that leads nowhere is an error, and a type that is not
 * shown but stands in a signature.
 *
 *     npm run docs:api     writes it to out/api
 *     npm run check:api    checks it
 */
import { Application, Converter, ReflectionKind } from "typedoc"
import { entries } from "./entries.js"

const app = await Application.bootstrapWithPlugins({
  name: "effect-translate",
  entryPoints: entries.map(({ module }) => `src/${module}.ts`),
  // Of `src` alone: TypeDoc reads all files of the project.
  tsconfig: "tsconfig.build.json",
  // `npm run check:types` finds errors.
  skipErrorChecking: true,
  readme: "none",
  disableSources: true,
  disableGit: true,
  excludeInternal: true,
  excludeExternals: true,
  // Types that signatures name and modules keep to themselves.
  plugin: ["typedoc-plugin-missing-exports"],
  validation: { invalidLink: true, invalidPath: true, notExported: true },
  treatWarningsAsErrors: true,
  logLevel: "Warn"
})

// An option of the plugin, which TypeDoc's types do not know.
app.options.setValue("internalModule" as never, "types of signatures" as never)

const namesOfModules = new Map(entries.map(({ module, name }) => [module.replace(/\/index$/, ""), name]))
app.converter.on(Converter.EVENT_CREATE_DECLARATION, (_, reflection) => {
  if (reflection.kindOf(ReflectionKind.Module))
    reflection.name = namesOfModules.get(reflection.name) ?? reflection.name
})

const project = await app.convert()
if (project !== undefined) {
  app.validate(project)
  if (!process.argv.includes("--check")) await app.generateDocs(project, "out/api")
}
const problems = app.logger.errorCount + app.logger.warningCount
process.exitCode = project === undefined || problems > 0 ? 1 : 0
if (process.exitCode === 0) console.log("Every link of the API reference leads somewhere")
