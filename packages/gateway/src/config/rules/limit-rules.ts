import { MAX_MESSAGE_BYTES } from '../../protocol/bounded-parts.ts'
import type { LimitSettings } from '../config-file.ts'
import type { Limits } from '../gateway-config.ts'
import { MAX_MS } from './common-rules.ts'
import type { ObjectRules } from './object-rules.ts'

export const LIMIT_RULES: ObjectRules<LimitSettings> = {
  properties: {
    connectMs: {
      kind: 'integer',
      min: 1,
      max: MAX_MS,
      unit: 'milliseconds',
      default: 10_000,
      description:
        'How long connecting to a server may take, in milliseconds, from the moment it starts. Unless you set it, the first connection to a local server may take 60 seconds.',
    },
    callMs: {
      kind: 'integer',
      min: 1,
      max: MAX_MS,
      unit: 'milliseconds',
      default: 30_000,
      description:
        'How long a call may take without a sign of progress, in milliseconds. A server that reports progress may take up to ten times as long in total.',
    },
    resultChars: {
      kind: 'integer',
      min: 1_000,
      max: 1_000_000_000,
      default: 100_000,
      description:
        'The maximum number of characters of a result to return at once. The model can read the rest with `read_result`.',
    },
    messageBytes: {
      kind: 'integer',
      min: 10_000,
      max: 500_000_000,
      unit: 'bytes',
      default: MAX_MESSAGE_BYTES,
      description:
        'The maximum size of a message from a server, in bytes. A call whose answer is larger fails, and the gateway never holds more of it in memory.',
    },
  },
}

/** The limits of a server that configures none. */
export const DEFAULT_LIMITS: Limits = {
  connectMs: LIMIT_RULES.properties.connectMs.default!,
  firstConnectMs: 60_000,
  callMs: LIMIT_RULES.properties.callMs.default!,
  resultChars: LIMIT_RULES.properties.resultChars.default!,
  messageBytes: LIMIT_RULES.properties.messageBytes.default!,
}
