import { type StorNextMapping, StorNextMappingDraft, storNextMappings } from '#events/actions/storNext.ts'
import { callsOf, rowsOf } from '#client/parts/settings-table/calls.ts'
import { describeForm } from '#client/parts/settings-table/describeForm.ts'
import { SettingsSection, SettingsTable, TableTitle } from '#client/parts/settings-table/SettingsTable.tsx'
import { dataintellPathField, pathMappingTable, textColumn } from '../path-mappings/pathMappingTable.tsx'
import { storageField } from '../path-mappings/storageField.tsx'
import { credentialsField } from '../sources/sourceFields.tsx'
import { IntegrationLock } from './IntegrationLock.tsx'
import { storNextCredentialsTable, useStorNextCredentials } from './storNextCredentials.ts'
import classes from './Actions.module.css'

const title = 'Quantum StorNext Integration'

/** Credentials for Quantum StorNext, and the mappings of storage paths. */
export const StorNextSection = () => (
  <IntegrationLock bundle="storageManager" title={title} headings={['Credentials', 'Storage Path Configurations']}>
    <SettingsSection
      title={title}
      folds="closed"
      table={storNextCredentialsTable}
      intro={<TableTitle>Credentials</TableTitle>}
    >
      <TableTitle>Storage Path Configurations</TableTitle>
      <SettingsTable table={mappingTable} />
    </SettingsSection>
  </IntegrationLock>
)

const Help = (
  <details className={classes.help}>
    <summary>Storage Path Configurations</summary>
    <p>
      DataIntell and Quantum StorNext see the same folder under different paths. Enter the path of one folder as each of
      them shows it. Everything in the folder is mapped too. Files outside of it can't be archived or restored.
    </p>
  </details>
)

const mappingTable = pathMappingTable<StorNextMapping, StorNextMappingDraft>({
  label: 'Quantum StorNext Storage Path Configurations',
  system: 'Quantum StorNext',
  one: 'Quantum StorNext storage path configuration',
  rows: rowsOf(storNextMappings.list, 'storNextMappings'),
  calls: callsOf(storNextMappings),
  columns: [
    textColumn('volumeName', 'File Storage'),
    textColumn('storageManagerConfigName', 'Quantum StorNext Credentials', { wideOnly: true }),
    textColumn('dataintellPath', 'DataIntell Path', { wideOnly: true }),
    textColumn('storageManagerPath', 'Quantum StorNext Path'),
  ],
  empty: 'No file storage has a path configuration yet. Files can be archived once their storage has one.',
  form: describeForm<StorNextMapping, StorNextMappingDraft>()({
    schema: StorNextMappingDraft,
    fields: {
      volume: storageField({
        label: 'File Storage',
        groups: ['file'],
        list: storNextMappings.list,
        topic: 'storNextMappings',
      }),
      credentials: {
        ...credentialsField(useStorNextCredentials),
        label: 'Quantum StorNext Credentials',
        to: 'storageManagerConfigId',
        read: ({ storageManagerConfigId }) => String(storageManagerConfigId),
        write: Number,
      },
      dataintellPath: dataintellPathField,
      storageManagerPath: {
        label: 'Quantum StorNext Path',
        description: 'The same folder as Quantum StorNext shows it',
        placeholder: '/stornext/snfs1/projects',
        errorLabel: 'Storage manager path',
        initial: '',
      },
    },
  }),
  externalPath: 'storageManagerPath',
  help: Help,
})
