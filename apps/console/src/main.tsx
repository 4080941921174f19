import '@sum28/ui/styles/tokens.css'
import '@sum28/ui/styles/base.css'
import { createRoot } from 'react-dom/client'
import { StartPage } from './start-page.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('the page has no root element')
createRoot(root).render(<StartPage />)
