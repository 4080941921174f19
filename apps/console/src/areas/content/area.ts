import Article from '@mui/icons-material/ArticleOutlined'
import Campaign from '@mui/icons-material/CampaignOutlined'
import Collections from '@mui/icons-material/CollectionsOutlined'
import Info from '@mui/icons-material/InfoOutlined'
import ViewCarousel from '@mui/icons-material/ViewCarouselOutlined'
import { listBanners, listPieces, listPromos } from '@sum28/contract/staff-content-routes.ts'
import { type Area, later } from '#src/areas/area.ts'
import texts from './en.json'

/** Articles, notices, banners, promo pictures and the about page. */
export const content: Area = {
  name: 'content',
  label: 'areas.content.title',
  texts,
  places: [
    {
      name: 'articles',
      icon: Article,
      route: listPieces,
      always: { kind: 'article' },
      list: later(() => import('#src/areas/content/piece-lists.tsx'), 'ArticleList'),
      show: later(() => import('#src/areas/content/piece-page.tsx'), 'ArticlePage'),
    },
    {
      name: 'announcements',
      icon: Campaign,
      route: listPieces,
      always: { kind: 'announcement' },
      list: later(() => import('#src/areas/content/piece-lists.tsx'), 'AnnouncementList'),
      show: later(() => import('#src/areas/content/piece-page.tsx'), 'AnnouncementPage'),
    },
    {
      name: 'banners',
      icon: ViewCarousel,
      route: listBanners,
      list: later(() => import('#src/areas/content/picture-lists.tsx'), 'BannerList'),
    },
    {
      name: 'promos',
      icon: Collections,
      route: listPromos,
      list: later(() => import('#src/areas/content/picture-lists.tsx'), 'PromoList'),
    },
    {
      name: 'about',
      icon: Info,
      label: 'areas.content.about',
      action: 'content.read',
      page: later(() => import('#src/areas/content/about-page.tsx'), 'AboutPage'),
    },
  ],
}
