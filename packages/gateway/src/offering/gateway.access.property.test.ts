import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkProperty } from '../../../../testing/deep.ts'
import { effectOf, isOpenWorld } from '../access/effect.ts'
import type { GatewayConfig } from '../config/gateway-config.ts'
import { createGateway, type Gateway } from './gateway.ts'
import { gatewayConfig, serverConfig, upstreamSet } from './upstream-set.fixtures.ts'

const textOf = async (result: ReturnType<Gateway['callTool']>) => JSON.stringify(await result)

describe('access rules of the gateway and of a server', () => {
  it('leave no trace of hidden tools in any answer', async () => {
    const names = fc.constantFrom('get_x', 'set_x', 'set_y', 'drop_x', 'drop_y', 'read', 'write')
    const annotations = fc.record(
      {
        readOnlyHint: fc.boolean(),
        destructiveHint: fc.boolean(),
        openWorldHint: fc.boolean(),
      },
      { requiredKeys: [] },
    )
    const tools = fc.uniqueArray(fc.record({ name: names, annotations }), {
      selector: ({ name }) => name,
    })
    const ownRule = fc.constantFrom('get_x', 'set_*', '*_x', 'read', 'write', 'destructive', 'no')
    const rule = fc.oneof(ownRule, fc.constantFrom('one/*', 'two/set_*', '*/drop_*', 'open-world'))
    const rules = (entry: fc.Arbitrary<string>) =>
      fc.record(
        {
          allow: fc.array(entry, { maxLength: 4 }),
          deny: fc.array(entry, { maxLength: 2 }),
          readOnly: fc.boolean(),
        },
        { requiredKeys: ['deny', 'readOnly'] },
      )
    const mode = fc.constantFrom('search', 'dynamic', 'passthrough', 'auto')
    await checkProperty(
      fc.asyncProperty(
        fc.record({ one: tools, two: tools, all: rules(rule), own: rules(ownRule), mode }),
        async ({ one, two, all, own, mode }) => {
          const marked = (list: typeof one, server: string) =>
            list.map(({ name, annotations }) => ({
              name,
              annotations,
              inputSchema: { type: 'object', properties: {} },
              // Names alone are too short to be found in a text without false alarms.
              description: `Trace ${server}/${name}.`,
            }))
          const set = upstreamSet({
            one: { tools: marked(one, 'one') },
            two: { tools: marked(two, 'two') },
          })
          const pins = [
            ...one.map(({ name }) => `one/${name}`),
            ...two.map(({ name }) => `two/${name}`),
          ]
          const servers = [serverConfig('one', own), serverConfig('two')]
          const gateway = createGateway(gatewayConfig(servers, { ...all, pins, mode }), set)

          const everything = [
            ...one.map((each) => ({ server: 'one', ...each })),
            ...two.map((each) => ({ server: 'two', ...each })),
          ]
          const hidden = everything.filter(
            (each) => !permits(all, each) || (each.server === 'one' && !permits(own, each)),
          )
          const call = (name: string, args: object) =>
            gateway.callTool({ name, arguments: { ...args } })
          const answers = [
            JSON.stringify(
              gateway.listTools(everything.map(({ server, name }) => `${server}__${name}`)),
            ),
            await textOf(call('tool_search', { query: 'trace', max_results: 20 })),
            await textOf(call('tool_search', { query: 'select:one__set_x,two__drop_y' })),
            await textOf(
              call('describe_tools', { names: pins.map((pin) => pin.replace('/', '__')) }),
            ),
            await textOf(call('one__set_z', {})),
            await textOf(call('call_read_tool', { name: 'two__drop_z' })),
          ].map((answer) => answer.replaceAll('__', '/'))
          for (const { server, name } of hidden) {
            const path = `${server}__${name}`
            expect(gateway.origin(path)).toBeUndefined()
            expect(await gateway.callTool({ name: path })).toHaveProperty('isError', true)
            for (const answer of [answers[0], answers[1], answers[4], answers[5]]) {
              expect(answer).not.toMatch(new RegExp(`${server}/${name}\\b`))
            }
            // These repeat the names that were asked for.
            for (const answer of answers) expect(answer).not.toContain(`Trace ${server}/${name}.`)
          }
          expect(set.calls).toEqual([])
          expect(gateway.toolSearch.catalogue.size).toBe(everything.length - hidden.length)
          gateway.close()
        },
      ),
      { deepCases: 500 },
    )
  })
})

/** The rules, written a second time in the most direct way. */
function permits(
  { allow, deny, readOnly }: Pick<GatewayConfig, 'allow' | 'deny' | 'readOnly'>,
  { server, name, annotations }: { server: string; name: string; annotations: object },
): boolean {
  const effects = [
    effectOf({ annotations }),
    ...(isOpenWorld({ annotations }) ? ['open-world'] : []),
  ]
  const named = (rule: string) =>
    new RegExp(`^${rule.replaceAll('*', '.*')}$`).test(
      rule.includes('/') ? `${server}/${name}` : name,
    )
  const isWord = (rule: string) => ['read', 'write', 'destructive', 'open-world'].includes(rule)
  if (deny.some((rule) => effects.includes(rule) || named(rule))) return false
  if (readOnly && !effects.includes('read')) return false
  return !allow || allow.some((rule) => (isWord(rule) ? effects.includes(rule) : named(rule)))
}
