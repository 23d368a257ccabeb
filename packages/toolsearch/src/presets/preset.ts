import type { ListingStyle } from '../announcement/list-tools.ts'
import type { Tool } from '../catalogue/tool.ts'
import type { Activation } from '../policy/activation.ts'
import type { DeferralPolicy } from '../policy/deferral.ts'
import type { Ranker } from '../ranking/ranker.ts'
import type { LoadingMode } from '../stores/ledger.ts'
import type { SearchBehaviour } from '../tool-search/search-behaviour.ts'

/** One way of deferring tools, whole: every choice the rooms leave open, made. */
export interface Preset extends SearchBehaviour {
  readonly preset: string
  readonly activation: Activation
  readonly deferral: DeferralPolicy
  /** Makes a ranker of its own for each catalogue. */
  readonly ranker: () => Ranker
  readonly loading: LoadingMode
  readonly announcement: Announcement
}

/** How hidden tools are made known. */
export interface Announcement {
  /** What is listed of them. */
  readonly style: ListingStyle
  /**
   * `fixed`: the first list is repeated byte for byte and changes are appended as news.
   * `live`: the list is written anew for every request, unless its beginning must stay as it is.
   */
  readonly placement: 'fixed' | 'live'
  readonly budget?: number
  readonly lineLength?: number
  /** The block for the system prompt around the list. An empty text means no block. */
  readonly text: (list: string, searchToolName: string) => string
  /**
   * Hidden tools stay in the request with an open schema in place of their own.
   * `note` says in it where the real one is.
   */
  readonly stubs?: { readonly note?: (tool: Tool, searchToolName: string) => string }
}
