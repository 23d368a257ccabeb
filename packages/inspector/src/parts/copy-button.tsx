import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { announce } from './announce.tsx'
import { Icon } from './icon.tsx'

export interface CopyButtonProps {
  readonly text: string
  /** What the button copies, as part of a sentence: "the name". */
  readonly what: string
}

const SHOWN_MS = 1600

export function CopyButton({ text, what }: CopyButtonProps): JSX.Element {
  const [outcome, setOutcome] = useState<'copied' | 'failed'>()
  useEffect(() => {
    if (outcome === undefined) return
    const timer = setTimeout(() => setOutcome(undefined), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [outcome])

  async function copy(event: Event): Promise<void> {
    const button = event.currentTarget as HTMLButtonElement
    const isDone = await copyText(text)
    button.focus()
    setOutcome(isDone ? 'copied' : 'failed')
    announce(isDone ? `Copied ${what}` : `Could not copy ${what}`)
  }

  return (
    <button type="button" class="copy" onClick={copy} aria-label={`Copy ${what}`} data-is={outcome}>
      <Icon name={outcome === 'copied' ? 'check' : 'copy'} />
      <span aria-hidden="true">
        {outcome === 'copied' ? 'Copied' : outcome === 'failed' ? 'Failed' : 'Copy'}
      </span>
    </button>
  )
}

/** Resolves to whether it worked. Pages served over plain HTTP have no clipboard API. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const field = document.createElement('textarea')
    field.value = text
    field.className = 'visually-hidden'
    document.body.append(field)
    field.select()
    const isDone = document.execCommand('copy')
    field.remove()
    return isDone
  }
}
