import * as DeveloperKey from "../../api/DeveloperKey.js"
import type { DeveloperKeys } from "../DeveloperKeys.js"
import type { Endpoints } from "./endpoints.js"

export const make = ({ api, call }: Endpoints): DeveloperKeys => {
  const create = call(DeveloperKey.create, "never", (payload: DeveloperKey.NewDeveloperKey) =>
    api.developerKeys.create({ payload })
  )
  const rename = call(DeveloperKey.rename, "free", (payload: DeveloperKey.Renaming) =>
    api.developerKeys.rename({ payload })
  )
  const setLimits = call(DeveloperKey.setLimits, "free", (payload: DeveloperKey.Limitation) =>
    api.developerKeys.setLimits({ payload })
  )
  return {
    create: (key = {}) => create(key),
    list: call(DeveloperKey.list, "free", () => api.developerKeys.list({}))(),
    deactivate: call(DeveloperKey.deactivate, "free", (keyId: DeveloperKey.KeyId) =>
      api.developerKeys.deactivate({ payload: { keyId } })
    ),
    rename: (keyId, label) => rename({ keyId, label }),
    setLimits: (keyId, limits) => setLimits({ ...limits, keyId })
  }
}
