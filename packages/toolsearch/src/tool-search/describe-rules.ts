import type { RankingRule } from '../ranking/ranker.ts'

/** One sentence for each rule that changed a ranking. */
export function describeRules(rules: readonly RankingRule[]): string[] {
  return rules.map(describeRule)
}

function describeRule(rule: RankingRule): string {
  switch (rule.rule) {
    case 'file':
      return `The file "${rule.path}" counts as the need "${rule.need}".`
    case 'needs': {
      const needs = rule.needs.map((need) => `"${need}"`).join(', ')
      return `The query was ranked for each of its needs: ${needs}.`
    }
    case 'places':
      return 'Further tools of a server, and tools that promote themselves, copy others or list words, were ranked after others.'
  }
}
