import { Button, Checkbox } from '@mantine/core'
import { useState } from 'react'
import type { ItemRule } from '#client/parts/actions/wizard/validItems.ts'
import { Warning } from '#client/ui/feedback/Warning.tsx'
import { LocationDialog } from './LocationDialog.tsx'

/** Number of files from which relocation may take very long. */
const manyFiles = 100_000

export type RelocateOptionProps = {
  /** Folder on the agent; null for the original path of each file. */
  relocate: string | null
  onChange: (relocate: string | null) => void
  /** Storages whose folders can be picked. */
  storages: ItemRule | undefined
  /** Number of files to restore, once known. */
  files: number | undefined
}

/** Restores files to another folder. The checkbox opens the dialog that selects the folder. */
export function RelocateOption({ relocate, onChange, storages, files = 0 }: RelocateOptionProps) {
  const [isPicking, pick] = useState(false)
  return (
    <>
      <div className="row wrap between gap-8">
        <Checkbox
          label="Specify the location on the Storage Manager agent file system"
          checked={relocate !== null || isPicking}
          onChange={({ currentTarget }) => {
            if (currentTarget.checked) pick(true)
            else onChange(null)
          }}
        />
        {relocate !== null && (
          <Button variant="default" size="compact-sm" onClick={() => pick(true)}>
            Change location
          </Button>
        )}
      </div>
      {isPicking && (
        <LocationDialog
          location={relocate ?? ''}
          storages={storages}
          onSelect={(location) => {
            onChange(location)
            pick(false)
          }}
          onClose={() => pick(false)}
        />
      )}
      {relocate !== null && files >= manyFiles && (
        <Warning>
          You are about to relocate more than 100 000 files. It could take a considerable amount of time to complete the
          process.
        </Warning>
      )}
    </>
  )
}
