import type { JSX } from 'preact'
import type { Overview } from '../../api/contract.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Panel } from '../../parts/panel.tsx'

export function Connect({ overview }: { readonly overview: Overview }): JSX.Element {
  const { snippet, configFile, url } = overview
  return (
    <Panel
      title="Connect a client"
      aside={<CopyButton text={snippet} what="the client configuration" />}
    >
      <pre class="snippet">{snippet}</pre>
      <dl class="facts">
        {url !== undefined && (
          <>
            <dt>URL</dt>
            <dd>
              <code>{url}</code>
            </dd>
          </>
        )}
        <dt>Configuration</dt>
        <dd>
          <code>{configFile}</code>
        </dd>
        <dt>Version</dt>
        <dd>{overview.version}</dd>
      </dl>
    </Panel>
  )
}
