import * as DeveloperKey from "../../api/DeveloperKey.js"
import type { DeveloperKeys } from "../DeveloperKeys.js"
import type { Endpoints } from "./endpoints.js"

export const make = ({ api: { developerKeys: api }, call }: Endpoints): DeveloperKeys => {
  const create = call(DeveloperKey.create, "never", (payload: DeveloperKey.NewDeveloperKey) =>
    api.create({ payload })
  )
  const rename = call(DeveloperKey.rename, "free", (payload: DeveloperKey.Renaming) =>
    api.rename({ payload })
  )
  const setLimits = call(DeveloperKey.setLimits, "free", (payload: DeveloperKey.Limitation) =>
    api.setLimits({ payload })
  )
  return {
    create: (key = {}) => create(key),
    list: call(DeveloperKey.list, "free", () => api.list({}))(),
    deactivate: call(DeveloperKey.deactivate, "free", (keyId: DeveloperKey.KeyId) =>
      api.deactivate({ payload: { keyId } })
    ),
    rename: (keyId, label) => rename({ keyId, label }),
    setLimits: (keyId, limits) => setLimits({ ...limits, keyId })
  }
}
