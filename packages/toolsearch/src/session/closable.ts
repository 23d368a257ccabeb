import type { Session } from './session.ts'
import { SessionClosedError } from './session-closed-error.ts'

type SynchronousMethod = {
  [Name in keyof Session]: Session[Name] extends (...parameters: never[]) => infer Result
    ? Result extends Promise<unknown>
      ? never
      : Name
    : never
}[keyof Session]

/** Methods that throw instead of rejecting. A record, so that the compiler notices a missing one. */
const SYNCHRONOUS: Record<SynchronousMethod, true> = {
  tools: true,
  tool: true,
  removedTools: true,
  withTools: true,
  report: true,
  close: true,
}

/**
 * Makes a session fail once it is closed. The result then refers to nothing that the session held, so
 * that it is freed even if the caller keeps the result.
 */
export function closable(session: Session): Session {
  const { id } = session
  let current: Session | undefined = session
  const properties = Object.entries(session).map(([name, value]) => [
    name,
    typeof value === 'function'
      ? { enumerable: true, value: method(name as keyof Session) }
      : { enumerable: true, get: () => open()[name as keyof Session] },
  ])
  return Object.defineProperties({} as Session, {
    ...Object.fromEntries(properties),
    id: { enumerable: true, value: id },
    close: { enumerable: true, value: close },
  })

  function open(): Session {
    if (current === undefined) throw new SessionClosedError(id)
    return current
  }

  function method(name: keyof Session) {
    return (...parameters: never[]) => {
      if (current === undefined && !Object.hasOwn(SYNCHRONOUS, name)) {
        return Promise.reject(new SessionClosedError(id))
      }
      return (open()[name] as (...parameters: never[]) => unknown)(...parameters)
    }
  }

  function close(): void {
    current?.close()
    current = undefined
  }
}
