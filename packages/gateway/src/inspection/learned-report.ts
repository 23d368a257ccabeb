import type { Learning } from 'toolsearch/learning'
import type { LearnedReport, LearnedRequest } from './api.ts'
import type { InspectionTarget } from './inspection-target.ts'

type Uses = Pick<Learning, 'uses' | 'forget'>

/** What searches have learned about a tool, newest first. Says how many people asked, never who. */
export async function learnedReport(
  { learning, config }: Pick<InspectionTarget, 'learning' | 'config'>,
  tool: string,
): Promise<LearnedReport> {
  if (learning === undefined) return { isOn: false, requests: [] }
  const requests = new Map<string, LearnedRequest>()
  for (const { words, at } of await learning.uses({ tool })) {
    const { people, newest } = requests.get(words) ?? { people: 0, newest: at }
    requests.set(words, { words, people: people + 1, newest })
  }
  return { isOn: config().learning !== 'off', requests: [...requests.values()] }
}

/** Forgets requests with these words, or all requests that used the tool. Resolves to the number of uses. */
export async function forgetLearned(
  learning: Uses,
  tool: string,
  words: string | undefined,
): Promise<number> {
  if (words === undefined) return learning.forget({ tool })
  let forgotten = 0
  for (const use of await learning.uses({ tool })) {
    if (use.words === words) forgotten += await learning.forget({ id: use.id })
  }
  return forgotten
}
