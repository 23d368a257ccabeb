import { basename } from 'node:path'
import type { ConfigProblem } from '../config/config-problem.ts'
import { UpstreamError } from '../protocol/upstream-error.ts'
import type { Upstream } from './upstream.ts'

/** Stands for a server that cannot be started because its configuration has problems. */
export function misconfiguredUpstream(name: string, problems: readonly ConfigProblem[]): Upstream {
  const detail = problems
    .map(({ file, line, message, fix }) => `${basename(file)}, line ${line}: ${message} ${fix}`)
    .join('\n')
  const reject = async () => {
    throw new UpstreamError('not-started', name, detail, { undelivered: true })
  }
  return {
    name,
    status: { state: 'failed', detail, logOutput: [], strayLines: 0, refused: [] },
    tools: [],
    skills: [],
    instructions: undefined,
    capabilities: {},
    connect: async () => {},
    request: reject,
    watchResource: reject,
    unwatchResource: async () => {},
    refreshTools: async () => {},
    setLogLevel() {},
    setLimits() {},
    close: async () => {},
  }
}
