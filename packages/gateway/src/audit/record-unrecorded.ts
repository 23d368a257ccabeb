import { noteOf } from '../identity/request-note.ts'
import { readApiPath } from '../serving/http/api-path.ts'
import type { UnrecordedRequest } from '../serving/http/guarded-server.ts'
import type { ActionLog } from './action-log.ts'

/** Records requests for the API that it has not recorded itself, unless they only read. */
export function recordUnrecorded(
  actions: Pick<ActionLog, 'record'>,
): (request: UnrecordedRequest) => void {
  return ({ caller, method, path, status = 0 }) => {
    if ((method === 'GET' || method === 'HEAD') && status !== 403) return
    const { key, name } = readApiPath(path)
    const isOk = status >= 200 && status < 400
    const {
      error = status === 0 ? 'The client has closed the connection.' : `HTTP status ${status}.`,
    } = noteOf(caller)
    actions.record({
      person: caller.person,
      action: `${method} ${key}`,
      ...(name && { name }),
      ...(!isOk && { error, isDenied: status === 403 }),
    })
  }
}
