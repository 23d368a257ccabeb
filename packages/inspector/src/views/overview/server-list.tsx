import type { JSX } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { ServerReport, UpstreamState } from '../../api/contract.ts'
import { Bar } from '../../parts/bar.tsx'
import { formatCount, formatMany } from '../../parts/format.ts'
import { hueOf } from '../../parts/hue-of.ts'
import { Panel } from '../../parts/panel.tsx'
import { revealHidden } from '../../parts/reveal-hidden.ts'
import { ServerMark } from '../../parts/server-mark.tsx'
import { Empty } from '../../parts/states.tsx'

const stateWords: Record<UpstreamState, string> = {
  idle: 'Idle',
  connecting: 'Connecting',
  ready: 'Ready',
  failed: 'Failed',
  'needs-sign-in': 'Needs sign-in',
}

const stateNotes: Partial<Record<UpstreamState, string>> = {
  idle: 'Its tools are known from before; it starts when one of them is needed.',
  connecting: 'It has been started and has not answered yet.',
}

export function ServerList({
  servers,
}: {
  readonly servers: readonly ServerReport[]
}): JSX.Element {
  const most = Math.max(1, ...servers.map(({ tokens }) => tokens))
  return (
    <Panel title="Servers" aside={formatMany(servers.length, 'server')}>
      {servers.length === 0 ? (
        <Empty title="No servers in the configuration">
          <p>
            <code>toolsearch import</code> takes over those of your clients.
          </p>
        </Empty>
      ) : (
        <ul class="servers">
          {servers.map((server) => (
            <ServerItem
              key={server.name}
              server={server}
              share={server.tokens / most}
              hue={hueOf(server.name, servers)}
            />
          ))}
        </ul>
      )}
    </Panel>
  )
}

interface LastWordsProps {
  readonly name: string
  readonly lines: readonly string[]
}

/** The latest are in view at first: what came last says most. */
function LastWords({ name, lines }: LastWordsProps): JSX.Element {
  const box = useRef<HTMLElement>(null)
  useLayoutEffect(() => box.current?.scrollTo(0, box.current.scrollHeight), [lines])
  return (
    <section
      ref={box}
      class="last-words"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached with the keyboard
      tabIndex={0}
      aria-label={`Last words of ${name}`}
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
  const { name, state, detail = stateNotes[state], lastWords, era, refused } = server
  const isTroubled = state === 'failed' || state === 'needs-sign-in'
  return (
    <li class="server-item" data-state={state}>
      <div class="server-line">
        <ServerMark server={name} />
        <span class="badge" data-state={state}>
          {stateWords[state]}
        </span>
        {era === 'legacy' && <span class="muted">older protocol</span>}
        <span class="server-figures">
          <span>{formatMany(server.tools, 'tool')}</span>
          <span>{formatCount(server.tokens)} tok</span>
        </span>
      </div>
      <Bar share={share} hue={hue} />
      {detail !== undefined && <p class="server-detail">{withoutLastWords(detail, lastWords)}</p>}
      {lastWords.length > 0 && (
        <details open={isTroubled}>
          <summary>{isTroubled ? 'Its last words' : 'What it wrote last'}</summary>
          <LastWords name={name} lines={lastWords} />
        </details>
      )}
      {refused.length > 0 && (
        <details>
          <summary>{formatMany(refused.length, 'tool')} cannot be served</summary>
          <ul class="plain">
            {refused.map(({ tool, reason }) => (
              <li key={tool}>
                <code>{tool}</code> {reason}
              </li>
            ))}
          </ul>
        </details>
      )}
      {era === 'legacy' && state === 'ready' && <p class="unseen">It speaks the older protocol.</p>}
    </li>
  )
}

/** They stand below, in full. */
function withoutLastWords(detail: string, lastWords: readonly string[]): string {
  return lastWords.length > 0 ? detail.replace(/ Its last words: .*$/s, '') : detail
}
