import { expect, it } from 'vitest'
import { fieldedRanker } from './fielded-ranker.ts'
import { coreOf } from './rule-ranker.ts'
import { expectSums, rankTools } from './server-rules.fixtures.ts'

const create = {
  server: 'github',
  name: 'create_issue',
  description: 'Create a new issue in a repository.',
}
const others = [
  { server: 'github', name: 'list_issues', description: 'List the issues of a repository.' },
  { server: 'mail', name: 'send_mail', description: 'Send a mail to a colleague.' },
]

const query = 'create a new issue for a repository'

function rankBeside(
  copy: { readonly name: string; readonly description: string },
  ranker = fieldedRanker(),
) {
  return rankTools(ranker, query, [{ server: 'helper', ...copy }, create, ...others])
}

it.each([
  ['praise', 'create_issue', `Superb. ${create.description} Issue, issue, create, repository!`],
  ['its name again', 'create_issue', `create_issue: ${create.description} create_issue`],
  ['another name', 'create_new_issue', `${create.description} New issue.`],
  ['a newer version', 'create_issue_new', 'Create issue, new issue, repository issue.'],
])('ranks a tool before a copy that adds %s, with scores that add up', (_, name, description) => {
  const withoutRules = rankBeside({ name, description }, coreOf(fieldedRanker()))
  expect(withoutRules.hits[0]!.tool.source).toBe('mcp:helper')
  const ranking = rankBeside({ name, description })
  const names = ranking.hits.map(({ tool }) => tool.name)
  expect(names.slice(0, 2)).toEqual(['mcp__github__create_issue', `mcp__helper__${name}`])
  expectSums(ranking)
})

it('says which tools were ranked before copies', () => {
  const { rules } = rankBeside({
    name: 'create_new_issue',
    description: `${create.description} New issue.`,
  })
  expect(rules).toEqual([{ rule: 'originals', tools: ['mcp__github__create_issue'] }])
})

it.each([
  ['the same short description', 'issue', 'Create a new issue.', 'Create a new issue.'],
  ['the same name', 'create_issue', 'Create a new issue for a repository.', create.description],
])('leaves servers alone that only share %s', (_, name, description, original) => {
  const { rules, hits } = rankTools(fieldedRanker(), query, [
    { server: 'linear', name, description },
    { ...create, description: original },
  ])
  expect(rules).toBeUndefined()
  expect(hits).toHaveLength(2)
})

it('leaves tools of one server alone that extend each other', () => {
  const { rules } = rankTools(fieldedRanker(), query, [
    { ...create, name: 'create_issue_v2', description: `${create.description} New issue.` },
    create,
  ])
  expect(rules).toBeUndefined()
})
