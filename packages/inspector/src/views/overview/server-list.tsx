import type { JSX } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { EditingNote } from '../../actions/editing-note.tsx'
import type { ServerReport, UpstreamState } from '../../api/contract.ts'
import { Bar } from '../../parts/bar.tsx'
import { formatMany } from '../../parts/format.ts'
import { hueOf } from '../../parts/hue-of.ts'
import { Panel } from '../../parts/panel.tsx'
import { revealHidden } from '../../parts/reveal-hidden.ts'
import { ServerMark } from '../../parts/server-mark.tsx'
import { Empty } from '../../parts/states.tsx'
import { DisabledServers, ServerActions } from './server-actions.tsx'

const stateLabels: Record<UpstreamState, string> = {
  idle: 'Idle',
  connecting: 'Connecting',
  ready: 'Ready',
  failed: 'Failed',
  'needs-sign-in': 'Needs sign-in',
}

const stateNotes: Partial<Record<UpstreamState, string>> = {
  idle: 'Tools loaded from cache. Starts on first use.',
  connecting: 'Waiting for the first response.',
}

export interface ServerListProps {
  readonly servers: readonly ServerReport[]
  /** Names of the servers that the configuration disables. */
  readonly disabled: readonly string[]
}

export function ServerList({ servers, disabled }: ServerListProps): JSX.Element {
  const most = Math.max(1, ...servers.map(({ tokens }) => tokens))
  const count = servers.filter(({ isFolders }) => !isFolders).length
  return (
    <Panel title="Servers" aside={formatMany(count, 'server')}>
      {servers.length === 0 && disabled.length === 0 ? (
        <Empty title="No servers in the configuration">
          <p>
            Run <code>toolsearch import</code> to import the servers of your MCP clients.
          </p>
        </Empty>
      ) : (
        <ul class="servers">
          {servers.map((server) =>
            server.isFolders ? (
              <SkillFolders key={server.name} folders={server} />
            ) : (
              <ServerItem
                key={server.name}
                server={server}
                share={server.tokens / most}
                hue={hueOf(server.name, servers)}
              />
            ),
          )}
        </ul>
      )}
      {disabled.length > 0 && <DisabledServers names={disabled} />}
      <EditingNote />
    </Panel>
  )
}

interface LogOutputProps {
  readonly name: string
  readonly lines: readonly string[]
}

/** Scrolled to the end: the latest lines matter most. */
function LogOutput({ name, lines }: LogOutputProps): JSX.Element {
  const box = useRef<HTMLElement>(null)
  useLayoutEffect(() => box.current?.scrollTo(0, box.current.scrollHeight), [lines])
  return (
    <section
      ref={box}
      class="log-output"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable with the keyboard
      tabIndex={0}
      aria-label={`Recent log output of ${name}`}
    >
      <pre>{revealHidden(lines.join('\n'))}</pre>
    </section>
  )
}

interface ServerItemProps {
  readonly server: ServerReport
  readonly share: number
  readonly hue: number | undefined
}

function ServerItem({ server, share, hue }: ServerItemProps): JSX.Element {
  const { name, state, detail = stateNotes[state], logOutput, era, refused } = server
  const isTroubled = state === 'failed' || state === 'needs-sign-in'
  return (
    <li class="server-item" data-state={state}>
      <div class="server-line">
        <ServerMark server={name} />
        <span class="badge" data-state={state}>
          {stateLabels[state]}
        </span>
        <ServerActions server={server} />
      </div>
      <Bar share={share} hue={hue} />
      <p class="server-figures">
        <span>{formatMany(server.tools, 'tool')}</span>
        {server.skills > 0 && <span>{formatMany(server.skills, 'skill')}</span>}
        <span>{formatMany(server.tokens, 'token')}</span>
        {era === 'legacy' && <span>legacy protocol</span>}
      </p>
      {detail !== undefined && <p class="server-detail">{withoutLogOutput(detail)}</p>}
      {logOutput.length > 0 && (
        <details open={isTroubled}>
          <summary>Recent log output</summary>
          <LogOutput name={name} lines={logOutput} />
        </details>
      )}
      <Refused what="tool" refused={refused.filter(({ isSkill }) => !isSkill)} />
      <Refused what="skill" refused={refused.filter(({ isSkill }) => isSkill)} />
    </li>
  )
}

/** The folders with skills on the machine of the gateway. */
function SkillFolders({ folders }: { readonly folders: ServerReport }): JSX.Element {
  return (
    <li class="server-item">
      <div class="server-line">
        <b>Skill folders</b>
      </div>
      <p class="server-figures">
        <span>{formatMany(folders.skills, 'skill')}</span>
      </p>
      <Refused what="skill" refused={folders.refused} />
    </li>
  )
}

function Refused({
  what,
  refused,
}: {
  readonly what: 'tool' | 'skill'
  readonly refused: ServerReport['refused']
}): JSX.Element | null {
  if (refused.length === 0) return null
  const label = what === 'tool' ? 'rejected' : 'invalid'
  return (
    <details>
      <summary>
        {formatMany(refused.length, what)} {label}
      </summary>
      <ul class="plain">
        {refused.map(({ tool, reason }) => (
          <li key={tool}>
            <code>{tool}</code> {reason}
          </li>
        ))}
      </ul>
    </details>
  )
}

/** Removes the quoted log output: the full output follows below. */
function withoutLogOutput(detail: string): string {
  return detail.split('\nRecent log output:')[0]!
}
