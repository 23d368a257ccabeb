import type { JSX } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { failureText } from '../../../api/api-failure.ts'
import type { ToolCallReport, ToolReport } from '../../../api/contract.ts'
import { useGateway } from '../../../api/gateway-context.ts'
import { announce } from '../../../parts/announce.tsx'
import { BreakableName } from '../../../parts/breakable-name.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { Elapsed } from '../../../parts/elapsed.tsx'
import { Segmented } from '../../../parts/segmented.tsx'
import { ObjectFields } from './field-input.tsx'
import { type FormProblem, type FormValue, formOf, initialForm, readForm } from './form-value.ts'
import { ResultView } from './result-view.tsx'
import { schemaFields } from './schema-fields.ts'

export interface CallDialogProps {
  readonly tool: ToolReport
  readonly onClose: () => void
}

type Outcome =
  | { readonly kind: 'none' }
  | { readonly kind: 'running'; readonly since: number }
  | { readonly kind: 'done'; readonly report: ToolCallReport }
  | { readonly kind: 'failed'; readonly message: string }

const warnings = {
  write: 'This tool makes changes.',
  destructive: 'This tool can destroy data or act on other systems, and there may be no way back.',
} as const

/** Calls a tool with arguments from a form. Anything but a read-only tool asks for confirmation. */
export function CallDialog({ tool, onClose }: CallDialogProps): JSX.Element {
  const { client } = useGateway()
  const fields = useMemo(() => schemaFields(tool.definition.inputSchema), [tool])
  const [form, setForm] = useState<FormValue>(() => initialForm(fields ?? []))
  const [json, setJson] = useState<string | undefined>(fields === undefined ? '{}' : undefined)
  const [problems, setProblems] = useState<readonly FormProblem[]>([])
  const [toConfirm, setToConfirm] = useState<Record<string, unknown>>()
  const [outcome, setOutcome] = useState<Outcome>({ kind: 'none' })
  const running = useRef<AbortController>(undefined)
  const box = useRef<HTMLFormElement>(null)
  useEffect(() => () => running.current?.abort(), [])
  useEffect(() => {
    box.current?.querySelector<HTMLElement>('input, select, textarea')?.focus()
  }, [])

  function submit(event: Event): void {
    event.preventDefault()
    const read = json === undefined ? readForm(fields!, form) : readJson(json)
    setProblems(read.problems)
    if (read.problems.length > 0) {
      announce(read.problems.map(({ path, message }) => `${path}: ${message}`).join(' '))
      queueMicrotask(() => box.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
    } else if (tool.effect === 'read') void call(read.value)
    else setToConfirm(read.value)
  }

  async function call(input: Record<string, unknown>, confirm?: true): Promise<void> {
    const controller = new AbortController()
    running.current = controller
    setToConfirm(undefined)
    setOutcome({ kind: 'running', since: Date.now() })
    try {
      const request = { arguments: input, ...(confirm && { confirm }) }
      const report = await client.call(tool.name, request, controller.signal)
      setOutcome({ kind: 'done', report })
      announce(report.result.isError ? 'The call failed' : 'The call returned a result')
    } catch (error) {
      const message = controller.signal.aborted
        ? 'Cancelled. The server may have finished the call anyway.'
        : failureText(error)
      setOutcome({ kind: 'failed', message })
    }
  }

  function switchTo(mode: 'form' | 'json'): void {
    if (mode === 'json') {
      setProblems([])
      setJson(JSON.stringify(readForm(fields!, form).value, null, 2))
      return
    }
    const read = readJson(json ?? '{}')
    setProblems(read.problems)
    if (read.problems.length > 0) return
    setForm(formOf(fields!, read.value))
    setJson(undefined)
  }

  const isRunning = outcome.kind === 'running'
  if (toConfirm !== undefined && tool.effect !== 'read') {
    return (
      <Dialog
        key="confirm"
        title={
          <>
            Call <BreakableName name={tool.name} />?
          </>
        }
        onClose={() => setToConfirm(undefined)}
        actions={
          <>
            <button type="button" onClick={() => setToConfirm(undefined)}>
              Back
            </button>
            <button type="button" class="danger" onClick={() => call(toConfirm, true)}>
              Call it
            </button>
          </>
        }
      >
        <p class="warning">{warnings[tool.effect]}</p>
        <pre>{JSON.stringify(toConfirm, null, 2)}</pre>
      </Dialog>
    )
  }
  return (
    <Dialog
      key="form"
      title={
        <>
          Call <BreakableName name={tool.name} />
        </>
      }
      class="dialog-wide"
      onClose={onClose}
    >
      <form ref={box} onSubmit={submit} noValidate class="call-form">
        {fields !== undefined && fields.length > 0 && (
          <Segmented
            label="Edit the arguments as"
            options={[
              { value: 'form', title: 'Form' },
              { value: 'json', title: 'JSON' },
            ]}
            value={json === undefined ? 'form' : 'json'}
            onChange={switchTo}
          />
        )}
        {json !== undefined ? (
          <JsonField value={json} onChange={setJson} problem={problems[0]?.message} />
        ) : fields!.length === 0 ? (
          <p class="muted">This tool takes no arguments.</p>
        ) : (
          <ObjectFields
            fields={fields!}
            path=""
            value={form}
            problems={problems}
            onChange={setForm}
          />
        )}
        <div class="dialog-actions">
          {isRunning && (
            <span class="muted">
              Running for <Elapsed since={outcome.since} />
            </span>
          )}
          <button type="button" onClick={() => (isRunning ? running.current?.abort() : onClose())}>
            {isRunning ? 'Cancel the call' : 'Close'}
          </button>
          <button type="submit" class="primary" disabled={isRunning}>
            {isRunning ? 'Running…' : tool.effect === 'read' ? 'Call' : 'Call…'}
          </button>
        </div>
      </form>
      {outcome.kind === 'failed' && (
        <p class="state state-failed" role="alert">
          {outcome.message}
        </p>
      )}
      {outcome.kind === 'done' && <ResultView report={outcome.report} />}
    </Dialog>
  )
}

interface JsonFieldProps {
  readonly value: string
  readonly problem: string | undefined
  readonly onChange: (value: string) => void
}

function JsonField({ value, problem, onChange }: JsonFieldProps): JSX.Element {
  return (
    <div class="field">
      <label for="call-json">Arguments</label>
      <textarea
        id="call-json"
        class="json"
        rows={10}
        spellcheck={false}
        aria-invalid={problem !== undefined}
        aria-describedby="call-json-problem"
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <p id="call-json-problem" class="problem">
        {problem}
      </p>
    </div>
  )
}

function readJson(text: string): ReturnType<typeof readForm> {
  const problem = (message: string) => ({ value: {}, problems: [{ path: 'arguments', message }] })
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { value: value as Record<string, unknown>, problems: [] }
      : problem('The arguments must be a JSON object.')
  } catch (error) {
    return problem(`This is not valid JSON: ${failureText(error)}`)
  }
}
