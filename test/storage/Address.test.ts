/** What addresses begin with: hosts, ports and names as a whole. */
import { Address } from "effect-translate/storage"
import { describe, expect, it } from "vitest"

describe("an address is within another one", () => {
  it.each([
    ["http://127.0.0.1:809", "http://127.0.0.1:809/a.csv"],
    ["http://127.0.0.1:80", "http://127.0.0.1/a.csv"],
    ["https://files.test", "https://FILES.test:443/a.csv?sig=1"],
    ["https://files.test/in", "https://files.test/in/a.csv"],
    ["https://files.test/in/", "https://files.test/in/a.csv"],
    ["s3://bucket", "s3://bucket/a.csv"],
    ["s3://bucket/in/", "s3://bucket/in/a.csv"]
  ])("%s holds %s", (prefix, address) => {
    expect(Address.isWithin(prefix, address)).toBe(true)
  })

  it.each([
    ["http://127.0.0.1:809", "http://127.0.0.1:8090/a.csv"],
    ["http://127.0.0.1", "http://127.0.0.1:8090/a.csv"],
    ["http://127.0.0.1", "http://127.0.0.12/a.csv"],
    ["https://files.test", "https://files.test.example/a.csv"],
    ["https://files.test", "https://files.test@example/a.csv"],
    ["https://files.test", "http://files.test/a.csv"],
    ["https://files.test/in", "https://files.test/inner/a.csv"],
    ["https://files.test/in", "https://files.test/in/../a.csv"],
    ["s3://buck", "s3://bucket/a.csv"],
    ["s3://bucket/in", "s3://bucket/inner/a.csv"]
  ])("%s does not hold %s", (prefix, address) => {
    expect(Address.isWithin(prefix, address)).toBe(false)
  })
})
