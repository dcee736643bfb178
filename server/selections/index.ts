export { countEntries, type EntryCounts, type EntryRows } from './countEntries.ts'

export { assignSelection, dropSelection, startDroppingSelections } from './retention.ts'
export { freezeSelection, type FrozenSelection, scansOf } from './freezeSelection.ts'
export { findSelection, pageOfSelection, selectionsOfJob } from './readSelection.ts'
export { rowsOfSelection } from './rows.ts'
