import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createGateway } from '../offering/gateway.ts'
import { gatewayConfig, serverConfig, upstreamSet } from '../offering/upstream-set.fixtures.ts'
import { METHOD_NAMES, methodOf } from '../protocol/methods.ts'
import { TASKS } from '../protocol/task-extension.ts'
import { SKILLS_EXTENSION } from '../skills/skill-entry.ts'
import { mcpServer } from './mcp-server.ts'

/** The SDK answers these itself. */
const WITHOUT_HANDLER = ['server/discover', 'subscriptions/listen']

/** What a gateway handles in front of a server that can do everything. */
function handledMethods(): string[] {
  const extensions = { [TASKS]: {}, [SKILLS_EXTENSION]: {} }
  const capabilities = { resources: {}, prompts: {}, completions: {}, logging: {}, extensions }
  const servers = upstreamSet({ all: { tools: [], era: 'legacy', capabilities } })
  const gateway = createGateway(gatewayConfig([serverConfig('all')]), servers)
  const factory = mcpServer(gateway, servers, { version: '1' })
  const handled = (['legacy', 'modern'] as const).flatMap((era) => {
    const server = factory({ era } as never)
    return [...(Reflect.get(server, '_requestHandlers') as Map<string, unknown>).keys()]
  })
  return [...new Set([...handled, ...WITHOUT_HANDLER])].sort()
}

const RECORDED = { always: 'yes', results: 'results and failures', never: 'no' }

describe('the table of methods', () => {
  it('contains exactly what the gateway handles', () => {
    expect([...METHOD_NAMES].sort()).toEqual(handledMethods())
  })

  it('is the one in the documentation', () => {
    const path = join(import.meta.dirname, '../../../../docs/operations.md')
    const lines = readFileSync(path, 'utf8').split('\n')
    const rows = lines.map((line) => line.split('|').map((cell) => cell.trim()))
    const documented = rows.flatMap(([, name = '', ...cells]) =>
      METHOD_NAMES.includes(name.slice(1, -1)) ? [[name, ...cells.slice(0, 4)]] : [],
    )
    const expected = METHOD_NAMES.map((name) => {
      const { isLimited, recorded, isExecuted, opens } = methodOf(name)
      const yes = (is: boolean) => (is ? 'yes' : 'no')
      const cells = [yes(isLimited), RECORDED[recorded], yes(isExecuted), opens ? `a ${opens}` : '']
      return [`\`${name}\``, ...cells]
    })
    expect(documented).toEqual(expected)
  })
})
