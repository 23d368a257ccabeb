import type { Finding } from '../../api/contract.ts'

/** A short name for each kind of issue. */
export const findingLabels: Record<Finding['kind'], string> = {
  setup: 'Configuration',
  changed: 'Changed',
  'invalid-schema': 'Invalid schema',
  twin: 'Same description',
  'no-description': 'No description',
  'long-description': 'Long description',
  'token-hog': 'Expensive',
  shadowed: 'Same name',
  promotion: 'Promotes itself',
}
