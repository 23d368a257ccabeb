import { scriptedAgent } from '../../../examples/scripted-agent.ts'

/** Runs two agents whose searches partly succeed and partly fail. */
export async function demoActivity(url: string): Promise<void> {
  const support = await scriptedAgent(url, { name: 'support-agent' })
  await support.search('give the customer their money back')
  await support.call('company__payments__search_customers', { query: 'ada@example.com' })
  await support.call(
    'company__payments__refund_payment',
    { payment_id: 'pay_42', reason: 'requested_by_customer' },
    'destructive',
  )
  await support.search('translate a text into French')
  await support.search('tell the team in chat')
  await support.call(
    'company__chat__send_message',
    { to: { channel: 'support' }, text: 'Refunded pay_42.' },
    'write',
  )
  await support.search('translate a text into French')
  await support.close()

  const coding = await scriptedAgent(url, { name: 'coding-agent' })
  await coding.search('read a file')
  await coding.call('files__read_text_file', { path: '/etc/shadow' })
  await coding.search('open merge requests of a repository')
  await coding.call('company__code-hosting__list_merge_requests', { repository: 'shop/web' })
  await coding.search('which alerts are firing right now')
  await coding.search('deploy to production')
  await coding.search('remember what the user prefers')
  await coding.call('memory__read_graph')
}

/** Saved queries with their expected results. */
export const demoQueries = [
  {
    query: 'give the customer their money back',
    relevant: ['company__payments__refund_payment'],
  },
  { query: 'tell the team in chat', relevant: ['company__chat__send_message'] },
  {
    query: 'who is free on Tuesday afternoon',
    relevant: ['company__calendar__find_free_time'],
  },
  { query: 'translate a text into French', relevant: [] },
] as const
