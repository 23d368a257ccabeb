import type { AccountRecords } from '../accounts/account-records.ts'
import type { AccountStore } from '../accounts/account-store.ts'
import { openAccountStore } from '../accounts/open-accounts.ts'
import { personId } from '../identity/person.ts'
import { openSharedState } from '../state/open-shared-state.ts'
import { stateFolder } from '../system/data-folders.ts'
import { type CommandCall, FAILED, OK } from './command.ts'
import { UsageError } from './command-errors.ts'
import { findConfig } from './find-config.ts'
import { count } from './format.ts'
import { openCommandRecords } from './open-command-records.ts'
import { plain, plainJson } from './plain.ts'
import { recordCommandAction } from './record-command-action.ts'

const ACTIONS =
  'Use toolsearch accounts list, toolsearch accounts remove ISSUER SUBJECT or toolsearch accounts reencrypt.'

/** Lists, removes or encrypts people's accounts. Never shows a secret. @throws UsageError */
export async function runAccounts(call: CommandCall): Promise<number> {
  const [action = 'list', ...rest] = call.args
  const run = readAction(action, rest)
  const { config } = await findConfig(call, { needsServers: false })
  const state = await openSharedState(config.state, { onWarning: call.terminal.say })
  const records = await openCommandRecords(call)
  try {
    const { store } = await openAccountStore({
      encryption: config.encryption,
      records: records.accounts!,
      shared: records.postgres,
      state,
      stateFolder: stateFolder(call.env),
    }).catch((error: Error) => {
      throw new UsageError(error.message)
    })
    return await run(call, records.accounts!, store)
  } finally {
    await Promise.all([records.close(), state.close()])
  }
}

type Run = (call: CommandCall, records: AccountRecords, store: AccountStore) => Promise<number>

/** @throws UsageError */
function readAction(action: string, args: readonly string[]): Run {
  const [issuer, subject, ...more] = args
  if (action === 'remove' && issuer && subject && more.length === 0) {
    return (call, _, store) => remove(call, store, personId(issuer, subject))
  }
  if (action === 'remove') throw new UsageError(`Whose accounts? ${ACTIONS}`)
  if (args.length > 0) throw new UsageError(`Unexpected argument "${args[0]}". ${ACTIONS}`)
  if (action === 'list') return list
  if (action === 'reencrypt') return (call, _, store) => reencrypt(call, store)
  throw new UsageError(`Unknown action "${action}". ${ACTIONS}`)
}

async function list({ terminal, values }: CommandCall, records: AccountRecords): Promise<number> {
  const accounts: { issuer: string; subject: string; server: string; updatedAt: string }[] = []
  for await (const { person, server, updatedAt } of records.all()) {
    const [issuer, subject] = person.split(' ').map(decodeURIComponent)
    // the gateway's own registrations belong to nobody
    if (issuer === undefined || subject === undefined) continue
    accounts.push({ issuer, subject, server, updatedAt: new Date(updatedAt).toISOString() })
  }
  accounts.sort((a, b) => compare(a.issuer, b.issuer) || compare(a.subject, b.subject))
  if (values.json) terminal.print(plainJson(accounts, 2))
  else if (accounts.length === 0) terminal.print('Nobody has connected an account.')
  for (const { issuer, subject, server, updatedAt } of values.json ? [] : accounts) {
    terminal.print(plain(`${issuer} ${subject}: ${server}, since ${updatedAt.slice(0, 10)}`))
  }
  return OK
}

async function remove(call: CommandCall, store: AccountStore, person: string): Promise<number> {
  const { terminal, values } = call
  const servers = await store.removeAll(person)
  const names = servers.map((server) => `${server} of ${person}`)
  await recordCommandAction(call, { action: 'account.remove', names })
  if (values.json) terminal.print(plainJson({ removed: servers }, 2))
  else if (servers.length === 0) terminal.print('This person has no accounts.')
  else terminal.print(`Removed ${count(servers.length, 'account')}: ${plain(servers.join(', '))}.`)
  return OK
}

async function reencrypt(call: CommandCall, store: AccountStore): Promise<number> {
  const { terminal, values } = call
  const { changed, unreadable } = await store.reencrypt()
  const names = changed > 0 ? [count(changed, 'account')] : []
  await recordCommandAction(call, { action: 'account.reencrypt', names })
  if (values.json) terminal.print(plainJson({ changed, unreadable }, 2))
  else {
    terminal.print(`Encrypted ${count(changed, 'account')} with the current key.`)
    if (unreadable > 0) {
      terminal.say(
        `${count(unreadable, 'account')} cannot be decrypted. Add the key that encrypted them to "previousKeys".`,
      )
    }
  }
  return unreadable > 0 ? FAILED : OK
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
