import { decodePercent } from '../../system/percent-encoding.ts'

/** A path under `/api` with NAME in place of a name, such as `/api/tools/NAME/call`. */
export interface ApiPath {
  readonly key: string
  /** Empty if there is none. */
  readonly encodedName: string
  /** Undefined if it is not encoded correctly. */
  readonly name: string | undefined
}

export function readApiPath(path: string): ApiPath {
  const [, kind = '', encodedName = '', rest = ''] =
    /^\/api\/(tools|servers|accounts|keys|people)\/([^/]+)(\/[^/]+)?$/.exec(path) ?? []
  const key = encodedName === '' ? path : `/api/${kind}/NAME${rest}`
  return { key, encodedName, name: decodePercent(encodedName) }
}
