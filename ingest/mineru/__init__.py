"""PDF sources by MinerU: the hosted API and a server of one's own, one cache for both."""
