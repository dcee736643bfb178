import { type ArchiwareMapping, archiwareMappings } from '#events/sources/archiwareMappings.ts'
import { callsOf, rowsOf } from '#client/parts/settings-table/calls.ts'
import { SettingsTable, TableTitle } from '#client/parts/settings-table/SettingsTable.tsx'
import { pathMappingTable, textColumn } from '../../../path-mappings/pathMappingTable.tsx'
import { GlobalMapping } from './GlobalMapping.tsx'
import { mappingForm } from './mappingForm.ts'

/** Mappings of storage paths to paths of P5 clients, for all storages and for single ones. */
export const Mappings = () => (
  <>
    <TableTitle>Storage Path Configurations</TableTitle>
    <GlobalMapping />
    <TableTitle>Individual Storage Path Configurations</TableTitle>
    <SettingsTable table={mappingTable} />
  </>
)

const mappingTable = pathMappingTable({
  label: 'Individual Storage Path Configurations',
  system: 'Archiware P5',
  one: 'File Storage path configuration',
  rows: rowsOf(archiwareMappings.list, 'archiwareMappings'),
  calls: callsOf(archiwareMappings),
  columns: [
    textColumn<ArchiwareMapping>('volumeName', 'File Storage'),
    textColumn('dataintellPath', 'DataIntell Path', { wideOnly: true }),
    textColumn('archiwarePath', 'Archiware P5 Path'),
  ],
  empty: 'No file storage has a path configuration of its own.',
  form: mappingForm,
  externalPath: 'archiwarePath',
})
