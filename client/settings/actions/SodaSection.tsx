import { Checkbox } from '@mantine/core'
import { type SodaMapping, SodaMappingDraft, sodaMappings } from '#events/actions/transfers.ts'
import { callsOf, rowsOf } from '#client/parts/settings-table/calls.ts'
import { describeForm } from '#client/parts/settings-table/describeForm.ts'
import { SettingsTable, TableIntro, TableTitle } from '#client/parts/settings-table/SettingsTable.tsx'
import { dataintellPathField, pathMappingTable, textColumn } from '../path-mappings/pathMappingTable.tsx'
import { storageField } from '../path-mappings/storageField.tsx'
import { AgentsSetting } from './AgentsSetting.tsx'
import { ConnectionSettings } from './ConnectionSettings.tsx'
import { IntegrationCard } from './IntegrationLock.tsx'
import { type SettingProps, useSetting } from './useSetting.ts'
import classes from './Actions.module.css'

/** The transfer service, and the mappings of storage paths. */
export const SodaSection = () => (
  <IntegrationCard bundle="soda" title="SODA Integration" headings={['Configurations', 'Storage Path Configurations']}>
    {(setting) => (
      <>
        <TableIntro>
          Signing in follows the public documentation of SoDA (CloudSoda). The calls for storages, folders and jobs
          follow our own contract, which is modeled on that documentation and not yet confirmed with a deployment.
        </TableIntro>
        <ConnectionSettings
          {...setting}
          inputs={[
            {
              name: 'sodaUrl',
              label: 'URL',
              description: "Base URL of the deployment's API",
              placeholder: 'https://studio.api.cloudsoda.io',
            },
            {
              name: 'sodaClientId',
              label: 'Client ID',
              description: "From the API section of the service's website",
            },
          ]}
          secret={{
            name: 'sodaClientSecret',
            label: 'Client Secret',
            description: 'It is never shown. Leave it empty to remove it.',
            goesTo: 'URL',
          }}
          missing="SODA integration is not configured properly."
        />
        <AgentsSetting
          {...setting}
          name="sodaAgents"
          label="Agents that list storages and folders of the transfer service"
          description="Their requests contain the client secret. Other agents only get it to transfer files of their own storages."
        />
        <MoveSetting {...setting} />
        <TableTitle>Storage Path Configurations</TableTitle>
        <SettingsTable table={mappingTable} />
      </>
    )}
  </IntegrationCard>
)

/** Decides whether an agent or the transfer service deletes moved files. */
function MoveSetting(props: SettingProps) {
  const { value, busy, change } = useSetting('sodaDeletesMovedFiles', props)
  const isOn = value === 'true'
  return (
    <Checkbox
      className={classes.setting}
      label="Let the transfer service delete moved files"
      description="If this is off, the service only copies, and an agent deletes each file after it has verified the copy. If this is on, the service deletes the files, and DataIntell does not verify the copies first."
      checked={isOn}
      disabled={busy}
      onChange={() => change(String(!isOn))}
    />
  )
}

const mappingTable = pathMappingTable<SodaMapping, SodaMappingDraft>({
  label: 'SODA Storage Path Configurations',
  system: 'SODA',
  one: 'SODA storage path configuration',
  rows: rowsOf(sodaMappings.list, 'sodaMappings'),
  calls: callsOf(sodaMappings),
  columns: [
    textColumn('volumeName', 'Storage'),
    textColumn('dataintellPath', 'DataIntell Path', { wideOnly: true }),
    textColumn('sodaStorageId', 'SODA Storage ID', { wideOnly: true }),
    textColumn('sodaPath', 'SODA Path'),
  ],
  empty: 'No storage has a path configuration yet. Files can be transferred once their storage has one.',
  form: describeForm<SodaMapping, SodaMappingDraft>()({
    schema: SodaMappingDraft,
    fields: {
      volume: storageField({
        label: 'Storage',
        groups: ['file', 'object'],
        list: sodaMappings.list,
        topic: 'sodaMappings',
      }),
      dataintellPath: dataintellPathField,
      sodaStorageId: {
        label: 'SODA Storage ID',
        description: 'ID of the storage in the transfer service',
        errorLabel: 'Soda storage id',
        initial: '',
      },
      sodaPath: {
        label: 'SODA Path',
        description: 'The same folder within that storage',
        placeholder: '/',
        errorLabel: 'Soda path',
        initial: '/',
      },
    },
  }),
  externalPath: 'sodaPath',
})
