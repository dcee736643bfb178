import './old-browsers/builtIns.ts'
import './page.css'
import 'virtual:roles.css'
import { createRoot } from 'react-dom/client'
import { WallPage } from './WallPage.tsx'

createRoot(document.querySelector('#app') as HTMLElement).render(<WallPage />)
