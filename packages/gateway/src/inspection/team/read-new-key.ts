import type { NewKey } from '../../identity/api-keys.ts'
import { isObject } from '../../protocol/json-object.ts'
import { RequestError } from '../read-request.ts'

const DAY_MS = 86_400_000
const MAX_NAME = 100
const MAX_ITEMS = 100
const MAX_DAYS = 3_650

/**
 * Reads the request for a new key.
 *
 * @throws RequestError
 */
export function readNewKey(body: unknown, createdBy: string, now: number): NewKey {
  if (!isObject(body)) throw new RequestError(400, 'Send {"name": "…"}.')
  const { name, role = 'member', days } = body
  if (typeof name !== 'string' || name.trim() === '' || name.length > MAX_NAME) {
    throw new RequestError(400, `Enter a name of at most ${MAX_NAME} characters.`)
  }
  if (role !== 'member' && role !== 'administrator') {
    throw new RequestError(400, `Invalid role "${role}": use member or administrator.`)
  }
  const isValidTime = Number.isInteger(days) && Number(days) >= 1 && Number(days) <= MAX_DAYS
  if (days !== undefined && !isValidTime) {
    throw new RequestError(400, `Invalid number of days: use 1 to ${MAX_DAYS}.`)
  }
  const allow = readList(body.allow, 'allow')
  const profiles = readList(body.profiles, 'profiles')
  if (role === 'administrator' && (allow || profiles)) {
    throw new RequestError(400, 'A limited key cannot be that of an administrator.')
  }
  return {
    name: name.trim(),
    groups: readList(body.groups, 'groups') ?? [],
    role,
    createdBy,
    ...((allow || profiles) && {
      scope: { ...(allow && { allow }), ...(profiles && { profiles }) },
    }),
    ...(days !== undefined && { expiresAt: now + Number(days) * DAY_MS }),
  }
}

function readList(value: unknown, name: string): readonly string[] | undefined {
  if (value === undefined) return undefined
  const isList =
    Array.isArray(value) &&
    value.length > 0 &&
    value.length <= MAX_ITEMS &&
    value.every((item) => typeof item === 'string' && item.trim() !== '' && item.length <= 256)
  if (!isList) throw new RequestError(400, `"${name}" must be a list of texts.`)
  return value
}
