import { isRefusal } from '../serving/refused-error.ts'
import type { AgentRequest, RequestGate, RequestOutcome } from '../serving/request-gate.ts'

/** Writes structured logs. */
export interface StructuredLog {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void
  error(message: string, fields?: Readonly<Record<string, unknown>>): void
}

export interface StructuredLogOptions {
  readonly version: string
  /** Masks known secrets in a text. */
  readonly mask: (text: string) => string
  /** Makes a line of JSON safe to print: names come from clients and servers. */
  readonly escapeLine: (line: string) => string
}

/** Opens a log that writes one JSON object per line to stderr: stdout belongs to MCP. Loads pino. */
export async function openStructuredLog({
  version,
  mask,
  escapeLine,
}: StructuredLogOptions): Promise<StructuredLog> {
  const { pino } = await import('pino')
  // Synchronous, so that the last lines before the end of the process are not lost.
  const output = pino.destination({ fd: 2, sync: true })
  const logger = pino(
    {
      base: { service: 'toolsearch-gateway', version, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
    },
    { write: (line) => void output.write(escapeLine(line)) },
  )
  const masked = (fields: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(
      Object.entries(fields).map(([key, value]) => [
        key,
        typeof value === 'string' ? mask(value) : value,
      ]),
    )
  return {
    info: (message, fields = {}) => logger.info(masked(fields), mask(message)),
    warn: (message, fields = {}) => logger.warn(masked(fields), mask(message)),
    error: (message, fields = {}) => logger.error(masked(fields), mask(message)),
  }
}

/** Logs requests that were denied, limited or failed. Never their arguments and results. */
export function logGate(log: StructuredLog): RequestGate {
  return async (request, next) => {
    const start = performance.now()
    const took = () => Math.round((performance.now() - start) * 10) / 10
    try {
      const answer = await next()
      const { outcome, target, reason } = answer.outcome
      if (outcome !== 'ok') write(log, request, { outcome, target, reason }, took())
      return answer
    } catch (error) {
      const { outcome, reason } = isRefusal(error)
        ? error
        : { outcome: 'failed' as const, reason: undefined }
      write(log, request, { outcome, reason }, took())
      throw error
    }
  }
}

function write(
  log: StructuredLog,
  { caller, method, target: asked, client, session }: AgentRequest,
  { outcome, target = asked, reason }: Pick<RequestOutcome, 'outcome' | 'target' | 'reason'>,
  milliseconds: number,
): void {
  log.warn(`request ${outcome}`, {
    event: 'request',
    outcome,
    method,
    person: caller.person.id,
    ...(caller.profile !== undefined && { profile: caller.profile }),
    ...(target && { server: target.server, target: target.name.slice(0, 200) }),
    ...(reason !== undefined && { reason }),
    ...(client !== undefined && { client: client.slice(0, 100) }),
    ...(session !== undefined && { session: session.slice(0, 8) }),
    milliseconds,
  })
}
