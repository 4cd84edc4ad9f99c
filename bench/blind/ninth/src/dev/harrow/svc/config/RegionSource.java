package dev.harrow.svc.config;

import java.util.List;

/** Where regions are defined. */
public interface RegionSource {

    List<Region> fetchAll();
}
