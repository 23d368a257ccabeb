import type { RankingRule } from '../ranking/ranker.ts'

/** One sentence for each rule that changed a ranking. */
export function describeRules(rules: readonly RankingRule[]): string[] {
  return rules.map((rule) => {
    switch (rule.rule) {
      case 'file':
        return `The file "${rule.path}" counts as the need "${rule.need}".`
      case 'needs':
        return `The query was ranked for each of its needs: ${rule.needs.map((need) => `"${need}"`).join(', ')}.`
      case 'alike':
        return `The best ${rule.tools} tools are alike, so they were compared by what sets them apart.`
    }
  })
}
