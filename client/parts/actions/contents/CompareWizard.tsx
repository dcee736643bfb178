import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import type { ActionContentProps } from '#client/parts/selection/action.ts'
import { ActionWizard } from '#client/parts/actions/wizard/ActionWizard.tsx'
import type { ItemRule } from '#client/parts/actions/wizard/validItems.ts'

const texts = {
  started: 'A job that compares the contents is now running.',
  failure: 'Something went wrong while trying to start the comparison. Please try again.',
}

/** The plan names what is left out, file by file. */
const rule: ItemRule = { acceptsVolume: () => true, text: 'Duplicates on local file storages can be compared.' }

/** Compares the contents of the duplicates in a selection. It begins with the review, which has the only choice. */
export function CompareWizard({ target, onClose }: ActionContentProps) {
  const [includesOffline, include] = useState(false)
  return (
    <ActionWizard
      title="Compare contents"
      verb="Compare"
      target={target}
      rule={rule}
      steps={[]}
      job={{ action: 'compare', options: includesOffline ? { includesOffline } : {} }}
      review={[
        ['Reads', 'The first and last 64 KB of each file, then all of the files that may be equal'],
        ['Changes', 'Nothing. Files are only read.'],
      ]}
      options={offlineOption(includesOffline, include)}
      texts={texts}
      onClose={onClose}
    />
  )
}

const offlineOption = (isIncluded: boolean, include: (isIncluded: boolean) => void) => () => (
  <Checkbox
    label="Include files that are not on disk"
    description="Reading them recalls them from tape or another archive, which may take long and cost money."
    checked={isIncluded}
    onChange={({ currentTarget }) => include(currentTarget.checked)}
  />
)
