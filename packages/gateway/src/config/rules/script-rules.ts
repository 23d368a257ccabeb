import type { ScriptSettings } from '../config-file.ts'
import { MAX_MS } from './common-rules.ts'
import type { ObjectRules } from './object-rules.ts'

export const SCRIPT_RULES: ObjectRules<ScriptSettings> = {
  properties: {
    timeoutMs: {
      kind: 'integer',
      min: 1,
      max: MAX_MS,
      unit: 'milliseconds',
      default: 120_000,
      description:
        'How long a script may take with its calls, in milliseconds. The time in which a person answers a question of a server does not count.',
    },
    cpuMs: {
      kind: 'integer',
      min: 1,
      max: MAX_MS,
      unit: 'milliseconds',
      default: 5_000,
      description: 'How long a script may compute between two calls, in milliseconds.',
    },
    memoryMb: {
      kind: 'integer',
      min: 16,
      max: 1_024,
      unit: 'megabytes',
      default: 64,
      description: 'How much memory a script may use, in megabytes.',
    },
    calls: {
      kind: 'integer',
      min: 1,
      max: 10_000,
      default: 100,
      description: 'How many calls a script may make.',
    },
    parallelCalls: {
      kind: 'integer',
      min: 1,
      max: 100,
      default: 8,
      description: 'How many calls of a script may run at the same time. Others wait.',
    },
    chars: {
      kind: 'integer',
      min: 100,
      max: 1_000_000,
      default: 50_000,
      description: 'The maximum length of a script, in characters.',
    },
    outputChars: {
      kind: 'integer',
      min: 1_000,
      max: 10_000_000,
      default: 1_000_000,
      description:
        'The maximum length of what a script returns, in characters. Beyond `limits.resultChars`, the model reads the rest with `read_result`.',
    },
  },
}
