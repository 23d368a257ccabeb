import type { GatewayConfig } from '../config/gateway-config.ts'
import { createSecretMask } from '../config/secret-mask.ts'
import { configSecretValues } from '../config/secret-values.ts'
import type { Activity } from '../inspection/activity/activity.ts'
import { createActivity } from '../inspection/activity/create-activity.ts'
import { createHistoryStore } from '../inspection/history/history-store.ts'
import { type History, keepHistory } from '../inspection/history/keep-history.ts'
import { type Recorder, recordCalls } from '../inspection/record-calls.ts'
import type { GatewayInternals } from '../open-internals.ts'
import { historyFolderOf } from './history-folder.ts'

/** Records what agents do with a gateway, in memory and on disk. */
export interface OpenRecording extends Pick<Recorder, 'gateway' | 'watch'> {
  readonly activity: Activity
  readonly history: History
  /** Resolves when everything is on disk. Never rejects. */
  close(): Promise<void>
}

export interface OpenRecordingOptions {
  readonly config: () => GatewayConfig
  readonly transport: 'stdio' | 'http'
  readonly env: Readonly<Record<string, string | undefined>>
}

export function openRecording(
  { gateway, file, records }: Pick<GatewayInternals, 'gateway' | 'file' | 'records'>,
  { config, transport, env }: OpenRecordingOptions,
): OpenRecording {
  const activity = createActivity({ transport })
  const recorder = recordCalls(gateway, activity)
  const options = {
    bounds: () => ({ days: config().historyDays, megabytes: config().historyMegabytes }),
  }
  const store =
    records.postgres?.openHistory(options) ??
    createHistoryStore(historyFolderOf(file, env), options)
  const history = keepHistory(activity, {
    store,
    isOn: () => config().history === 'on',
    mask: createSecretMask(configSecretValues(config())).text,
  })
  return {
    gateway: recorder.gateway,
    watch: recorder.watch,
    activity,
    history,
    async close() {
      recorder.close()
      await history.close()
    },
  }
}
