import { SectionList } from '../parts/settings/SectionList.tsx'
import { SettingsFrame } from '../parts/settings/SettingsFrame.tsx'
import { AgentsSection } from './AgentsSection.tsx'
import { FileStorageSection } from './file-storages/FileStorageSection.tsx'
import { PriceBookSection } from './price-books/PriceBookSection.tsx'

/** The storages that are set up, and all that they need. */
export function DataTab() {
  return (
    <SettingsFrame tab="data">
      <SectionList
        label="Sections of data"
        sections={[
          { id: 'file-storage', title: 'File Storage', content: <FileStorageSection /> },
          { id: 'price-book', title: 'Price Book', content: <PriceBookSection /> },
          { id: 'agents', title: 'Agents', content: <AgentsSection /> },
        ]}
      />
    </SettingsFrame>
  )
}
