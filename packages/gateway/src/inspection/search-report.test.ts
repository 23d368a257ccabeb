import { createLearning } from 'toolsearch/learning'
import { expect, it } from 'vitest'
import { createGateway } from '../offering/gateway.ts'
import { gatewayConfig, serverConfig, upstreamSet } from '../offering/upstream-set.fixtures.ts'
import { tool } from './inspection.fixtures.ts'
import { searchReport, toolExplanation } from './search-report.ts'

it('uses what the person at this machine has taught', async () => {
  const tools = [tool('create_refund', 'Refund a charge'), tool('send_mail', 'Send a letter')]
  const servers = upstreamSet({ company: { tools, answer: () => ({ content: [] }) } })
  const config = gatewayConfig([serverConfig('company')], { learning: 'person' })
  const learning = createLearning({ scope: 'person' })
  const gateway = createGateway(config, servers, { learning })
  const name = 'company__create_refund'
  for (const query of ['the money back', `select:${name}`]) {
    await gateway.callTool({ name: 'tool_search', arguments: { query } })
  }
  await gateway.callTool({ name, arguments: {} })
  const { toolSearch } = gateway
  const query = 'money back'
  const { report } = await searchReport(gateway, { query, ranker: 'serving', toolSearch })
  const hit = [...report.hits, ...report.candidates].find((each) => each.name === name)
  expect(hit?.parts).toMatchObject([{ term: '1 similar request', match: 'learned' }])
  const { text } = toolExplanation({ gateway }, { query, tool: name, toolSearch })
  expect(text).toContain('used after 1 similar request')
})
