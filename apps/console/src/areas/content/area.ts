import Article from '@mui/icons-material/ArticleOutlined'
import type { Area } from '#src/areas/area.ts'
import texts from './en.json'

/** Articles, notices, banners and the about page. */
export const content: Area = {
  name: 'content',
  label: 'areas.content.title',
  icon: Article,
  texts,
  menu: [],
  resources: [],
  pages: [],
  searches: [],
}
