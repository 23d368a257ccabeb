import { createToolSearch, type Preset, unified } from 'toolsearch'

const live: Preset = {
  ...unified,
  preset: 'live', // its name
  announcement: { ...unified.announcement, placement: 'live' },
}
const toolSearch = createToolSearch({ preset: live })
console.log(toolSearch.preset.announcement.placement)
