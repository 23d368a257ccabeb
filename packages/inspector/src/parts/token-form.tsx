import type { JSX } from 'preact'
import { SecretField, type SecretFieldProps } from './secret-field.tsx'

export type TokenFormProps = Pick<SecretFieldProps, 'unlock'>

/** Asks for the token that everybody shares. */
export function TokenForm({ unlock }: TokenFormProps): JSX.Element {
  return (
    <main class="lock">
      <section aria-labelledby="lock-title">
        <h1 id="lock-title">This gateway requires a token</h1>
        <p>
          Enter the value of <code>TOOLSEARCH_TOKEN</code> that the gateway was started with. The
          page keeps it until you close this tab and sends it to this gateway only.
        </p>
        <SecretField label="Token" unlock={unlock} hasFocus />
      </section>
    </main>
  )
}
