import { type ActionLog, createActionLog } from './audit/action-log.ts'
import { type AuditGateOptions, auditGate } from './audit/audit-gate.ts'
import { type AuditLog, createAuditLog } from './audit/audit-log.ts'
import type { AuditStore } from './audit/audit-store.ts'
import { openAuditStore } from './audit/open-audit-store.ts'
import { recordSignIns } from './audit/record-sign-ins.ts'
import { recordUnrecorded } from './audit/record-unrecorded.ts'
import { recordRefusedSignIns } from './audit/refused-sign-ins.ts'
import type { GatewayConfig } from './config/gateway-config.ts'
import type { LimitCounters } from './limits/limit-counters.ts'
import { limitsGate } from './limits/limits-gate.ts'
import { openCounters } from './limits/open-counters.ts'
import type { GuardedServerOptions } from './serving/http/guarded-server.ts'
import { joinGates } from './serving/join-gates.ts'
import type { RequestGate } from './serving/request-gate.ts'
import type { SharedState } from './state/shared-state.ts'
import type { Report } from './system/report.ts'
import { type OpenTelemetry, openTelemetry } from './telemetry/open-telemetry.ts'

/** What surrounds the requests of agents while a gateway serves: telemetry, audit and limits. */
export interface Operations {
  readonly gate: RequestGate
  /** Undefined if the audit log is off. */
  readonly audit: AuditLog | undefined
  /** Records what people do to the gateway. Undefined if the audit log is off. */
  readonly actions: ActionLog | undefined
  /** Records who sends requests over HTTP, and what nothing else records. Undefined if the audit log is off. */
  readonly requests:
    | Pick<GuardedServerOptions, 'onAdmitted' | 'onRefused' | 'onUnrecorded'>
    | undefined
  /** Undefined if nobody reads traces and metrics. */
  readonly telemetry: OpenTelemetry | undefined
  /** Stores and sends what is left, for a bounded time. Never rejects. */
  close(): Promise<void>
}

export interface OpenOperationsOptions {
  /** The current settings. Where the audit log and telemetry go is read once. */
  readonly config: () => GatewayConfig
  readonly state: SharedState
  /** The configuration file: each has an audit log of its own. */
  readonly file: string
  readonly stateFolder: string | false
  /** The audit log in PostgreSQL, if there is a database. */
  readonly postgresAudit?: AuditStore | undefined
  /** Masks secrets, which the audit log must not contain, and those of a person. */
  readonly mask: NonNullable<AuditGateOptions['mask']>
  readonly maskFor: NonNullable<AuditGateOptions['maskFor']>
  readonly version: string
  readonly onWarning: Report
}

/** Rejects if the port of the Prometheus endpoint is in use, or a required audit log cannot be stored. */
export async function openOperations(options: OpenOperationsOptions): Promise<Operations> {
  const { config, state, version, onWarning, mask, maskFor } = options
  const telemetry = await openTelemetry(config().telemetry, { version, onWarning })
  const audit = await openAuditLog(options)
  let counters: LimitCounters | undefined
  let limits: RequestGate | undefined
  const gates: RequestGate[] = [
    ...(telemetry ? [telemetry.gate] : []),
    ...(audit ? [auditGate(audit, { config: () => config().audit ?? OFF, mask, maskFor })] : []),
    (request, next) => {
      if (config().rateLimits.length === 0) return next()
      counters ??= openCounters(state)
      limits ??= limitsGate(counters, { rules: () => config().rateLimits })
      return limits(request, next)
    },
  ]
  audit?.record({ kind: 'admin', person: 'gateway', action: 'gateway.start', outcome: 'ok' })
  const actions = audit && createActionLog(audit, () => config().audit?.required ?? false)
  return {
    gate: joinGates(gates),
    audit,
    actions,
    requests: audit &&
      actions && {
        onAdmitted: recordSignIns(audit),
        onRefused: recordRefusedSignIns(audit),
        onUnrecorded: recordUnrecorded(actions),
      },
    telemetry,
    async close() {
      audit?.record({ kind: 'admin', person: 'gateway', action: 'gateway.stop', outcome: 'ok' })
      counters?.close()
      await Promise.all([audit?.close(), telemetry?.close()])
    },
  }
}

/** While somebody removes the setting from a running gateway, which goes on recording. */
const OFF = { arguments: 'none', required: false } as const

async function openAuditLog(options: OpenOperationsOptions): Promise<AuditLog | undefined> {
  const { config, file, stateFolder, postgresAudit, onWarning } = options
  const settings = config().audit
  if (!settings) return undefined
  if (settings.to === 'file' && stateFolder === false) {
    const problem = 'The audit log has no folder to be stored in.'
    if (settings.required) throw new Error(`${problem} Set TOOLSEARCH_CACHE to a folder.`)
    onWarning(problem)
    return undefined
  }
  const store = openAuditStore(settings, {
    file,
    stateFolder: stateFolder || '',
    postgres: postgresAudit,
  })
  return createAuditLog(store, {
    days: () => config().audit?.days ?? settings.days,
    onProblem: onWarning,
  })
}
