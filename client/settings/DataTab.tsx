import { useState } from 'react'
import { SectionList } from '../parts/settings/SectionList.tsx'
import { SettingsFrame } from '../parts/settings/SettingsFrame.tsx'
import { AgentsSection } from './AgentsSection.tsx'
import { AddFileStorage } from './file-storages/AddFileStorage.tsx'
import { AddStorage } from './file-storages/AddStorage.tsx'
import { FileStorageSection } from './file-storages/FileStorageSection.tsx'
import { PerformanceWarning } from './PerformanceWarning.tsx'
import { PriceBookSection } from './price-books/PriceBookSection.tsx'

/** The storages that are set up, and all that they need. */
export function DataTab() {
  const [isAdding, add] = useState(false)
  const addFileStorage = () => add(true)
  return (
    <SettingsFrame tab="data" actions={<AddStorage onFileStorage={addFileStorage} />}>
      <PerformanceWarning />
      <SectionList
        label="Sections of data"
        sections={[
          { id: 'file-storage', title: 'File Storage', content: <FileStorageSection onAdd={addFileStorage} /> },
          { id: 'price-book', title: 'Price Book', content: <PriceBookSection /> },
          { id: 'agents', title: 'Agents', content: <AgentsSection /> },
        ]}
      />
      {isAdding && <AddFileStorage onClose={() => add(false)} />}
    </SettingsFrame>
  )
}
