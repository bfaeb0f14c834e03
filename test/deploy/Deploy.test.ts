/** Units, images and manifests, by linters of their own: `dockerfile-utils`, and the schemas of Kubernetes in `kubernetes-models`. */
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "@effect/vitest"
import { validate } from "dockerfile-utils"
import { Deployment } from "kubernetes-models/apps/v1/Deployment"
import { NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1/NetworkPolicy"
import { PodDisruptionBudget } from "kubernetes-models/policy/v1/PodDisruptionBudget"
import { Service } from "kubernetes-models/v1/Service"
import * as yaml from "yaml"
import { exitCodes } from "../../src/cli/failure.js"
import { variables } from "../../src/cli/settings/declarations.js"
import { defaultDrain } from "../../src/cli/worker/workerOptions.js"

const folder = fileURLToPath(new URL("../../deploy", import.meta.url))
const read = (name: string) => readFileSync(`${folder}/${name}`, "utf8")

type Json = Readonly<Record<string, unknown>>

const models: Readonly<Record<string, new (data: never) => { readonly validate: () => void }>> = {
  Deployment,
  NetworkPolicy,
  PodDisruptionBudget,
  Service
}

const check = (manifest: Json) => new models[String(manifest.kind)]!(manifest as never).validate()

/** The variables that a command line reads. */
const known = (name: string) => variables.includes(name) || name === "POD_IP"

const manifest = (name: string): Json => yaml.parse(read(`kubernetes/${name}`), { strict: true })

/** The value below these keys. */
const at = (value: unknown, ...path: ReadonlyArray<string | number>): unknown =>
  path.reduce((found, key) => (found as Readonly<Record<string | number, unknown>>)[key], value)

const deployment = manifest("deployment.yaml")
const container = at(deployment, "spec", "template", "spec", "containers", 0)
const env = at(container, "env") as ReadonlyArray<{ readonly name: string; readonly value?: string }>

describe("the manifests of Kubernetes", () => {
  const { resources } = manifest("kustomization.yaml") as { readonly resources: ReadonlyArray<string> }

  it("are as its schemas say, and kustomize names all of them", () => {
    const files = readdirSync(`${folder}/kubernetes`).filter((name) => name !== "kustomization.yaml")
    expect([...resources].sort()).toEqual(files.sort())
    for (const name of resources) expect(() => check(manifest(name)), name).not.toThrow()
    expect(() => check({ ...deployment, spec: { replicas: "three" } })).toThrow()
  })

  it("give a worker the time to drain, and its own address", () => {
    expect(at(deployment, "spec", "template", "spec", "terminationGracePeriodSeconds")).toBeGreaterThan(
      defaultDrain + 15
    )
    const address = env.find(({ name }) => name === "EFFECT_TRANSLATE_WORKER_ADDRESS")
    const runner = (at(container, "ports") as ReadonlyArray<Json>).find(({ name }) => name === "runner")
    expect(address?.value).toBe(`$(POD_IP):${runner?.containerPort}`)
    expect(env.findIndex(({ name }) => name === "POD_IP")).toBeLessThan(env.indexOf(address!))
  })

  it("set variables that are settings, and take secrets from a Secret", () => {
    expect(env.map(({ name }) => name).filter((name) => !known(name))).toEqual([])
    for (const { name, value } of env.filter(({ name }) => /KEY|JOBS|SECRET/.test(name))) {
      expect(value, name).toBeUndefined()
    }
  })

  it("let only workers reach the port of the runners", () => {
    const labels = at(deployment, "spec", "template", "metadata", "labels")
    const policy = manifest("networkpolicy.yaml")
    expect(at(policy, "spec", "podSelector", "matchLabels")).toEqual(labels)
    const rules = (at(policy, "spec", "ingress") as ReadonlyArray<Json>).filter(
      ({ ports }) => at(ports, 0, "port") === 7400
    )
    expect(rules).toHaveLength(1)
    expect(rules[0]!.from).toEqual([{ podSelector: { matchLabels: labels } }])
    for (const name of ["service.yaml", "pdb.yaml"]) {
      const selector = at(manifest(name), "spec", "selector")
      expect(at(selector, "matchLabels") ?? selector, name).toEqual(labels)
    }
  })

  it("run without root and without rights, on a root that can't be written", () => {
    expect(at(deployment, "spec", "template", "spec", "securityContext")).toMatchObject({
      runAsNonRoot: true
    })
    expect(at(container, "securityContext")).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] }
    })
  })
})

describe("the Dockerfile", () => {
  const text = read("docker/Dockerfile")

  it("has no mistake that its linter finds, and runs without root", () => {
    expect(validate(text)).toEqual([])
    expect(validate(text.replace("EXPOSE 7400", "EXPOSE first"))).not.toEqual([])
    expect(text).toMatch(/^USER node$/m)
    expect(text).toMatch(/^HEALTHCHECK /m)
  })

  it("sets variables that are settings", () => {
    const names = [...text.matchAll(/\b(EFFECT_TRANSLATE_\w+)=/g)].map(([, name]) => name!)
    expect(names.length).toBeGreaterThan(0)
    expect(names.filter((name) => !known(name))).toEqual([])
  })
})

describe("units, image and manifests", () => {
  const texts = [
    read("systemd/worker.env"),
    read("docker/Dockerfile"),
    env.map(({ name, value = "from a secret" }) => `${name}=${value}`).join("\n")
  ]

  it("close all that jobs may not use, and the kept data", () => {
    for (const text of texts) {
      expect(text).toMatch(/^\s*EFFECT_TRANSLATE_WORKER_FOLDERS=\/\S+/m)
      expect(text).toMatch(/^\s*EFFECT_TRANSLATE_WORKER_KEEP=\d+d/m)
      expect(text).toMatch(/EFFECT_TRANSLATE_WORKER_SECRET\b/)
    }
    expect(env.find(({ name }) => name === "EFFECT_TRANSLATE_WORKER_FOLDERS")?.value).toBe(
      at(container, "volumeMounts", 0, "mountPath")
    )
  })

  it("say which keys the secret has", () => {
    const named = [...read("kubernetes/deployment.yaml").matchAll(/^ +key: (\S+)$/gm)].map(([, key]) => key)
    for (const key of named)
      expect(read("kubernetes/kustomization.yaml")).toMatch(new RegExp(`--from-(literal|file)=${key}=`))
  })
})

describe("the unit of systemd", () => {
  const unit = read("systemd/effect-translate-worker.service")
  const valueOf = (name: string) => new RegExp(`^${name}=(.*)$`, "m").exec(unit)?.[1] ?? ""

  it("starts a worker again, but for exits that no restart cures, and gives it time to drain", () => {
    expect(valueOf("Restart")).toBe("always")
    expect(valueOf("RestartPreventExitStatus")).toBe(
      `${exitCodes.usage} ${exitCodes.unauthorized} ${exitCodes.outdated}`
    )
    expect(valueOf("KillSignal")).toBe("SIGTERM")
    expect(Number(valueOf("TimeoutStopSec"))).toBeGreaterThan(defaultDrain + 15)
  })

  it("has an example of its environment, of variables that are settings", () => {
    const names = [...read("systemd/worker.env").matchAll(/^(?:# )?([A-Z_]+)=/gm)].map(([, name]) => name!)
    expect(names).toContain("EFFECT_TRANSLATE_JOBS")
    expect(names.filter((name) => !known(name))).toEqual([])
  })
})
