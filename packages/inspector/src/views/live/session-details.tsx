import type { JSX } from 'preact'
import type { SessionReport, TokenLedger } from '../../api/contract.ts'
import { Bar } from '../../parts/bar.tsx'
import { formatCount, formatMany, formatTime } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { Panel } from '../../parts/panel.tsx'
import { QueryLink, ToolLink } from '../../parts/tool-link.tsx'
import { ledgerRows } from './ledger-rows.ts'

/** One session: its token costs, its loaded tools and its lost prompt caches. */
export function SessionDetails({ session }: { readonly session: SessionReport }): JSX.Element {
  const { cacheBreaks, loaded, ledger, since } = session
  return (
    <>
      {cacheBreaks.length > 0 && (
        <section class="changed" aria-labelledby="breaks-title">
          <h3 id="breaks-title">
            <Icon name="warning" /> Prompt cache lost{' '}
            {cacheBreaks.length === 1 ? 'once' : formatMany(cacheBreaks.length, 'time')}
          </h3>
          <ul class="plain">
            {cacheBreaks.map(({ at, reason }, number) => (
              <li key={number}>
                <time dateTime={at}>{formatTime(at)}</time> {reason}
              </li>
            ))}
          </ul>
        </section>
      )}
      <Panel title="Tokens" aside={`since ${formatTime(since)}`}>
        <Ledger ledger={ledger} />
      </Panel>
      <Panel title="Loaded tools" aside="in loading order">
        {loaded.length === 0 ? (
          <p class="muted">No tools loaded yet.</p>
        ) : (
          <ol class="loaded">
            {loaded.map(({ name, tokens, at, query, calls }) => (
              <li key={name}>
                <div class="loaded-line">
                  <ToolLink name={name} />
                  <span class="figures">
                    {formatCount(tokens)} tok · {formatMany(calls, 'call')}
                  </span>
                </div>
                <p class="muted">
                  <time dateTime={at}>{formatTime(at)}</time>
                  {query !== undefined && (
                    <>
                      {' '}
                      found by <QueryLink query={query} />
                    </>
                  )}
                </p>
              </li>
            ))}
          </ol>
        )}
      </Panel>
    </>
  )
}

function Ledger({ ledger }: { readonly ledger: TokenLedger }): JSX.Element {
  return (
    <>
      <dl class="ledger">
        {ledgerRows(ledger).map(({ kind, label, tokens, share }) => (
          <div key={kind} data-kind={kind}>
            <dt>{label}</dt>
            <dd>{formatCount(tokens)}</dd>
            <Bar share={share} />
          </div>
        ))}
      </dl>
      <p class="muted">
        {formatMany(ledger.requests, 'request')}. Calls that arrive together count as one.
      </p>
    </>
  )
}
